package org.ecstore.tools.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The classes that applications are compiled against, without code, as one jar. */
final class ApiJar {
  /** Packages whose public classes applications may name. */
  static final List<String> PACKAGES =
      List.of(
          "client",
          "client/error",
          "client/kryo",
          "client/large",
          "client/micrometer",
          "client/observe",
          "client/schema",
          "client/spi",
          "codec/json",
          "codec/protobuf",
          "id",
          "junit",
          "key",
          "model",
          "spring",
          "spring/boot");

  /** Classes of other packages that public methods of these give. */
  private static final List<String> CLASSES =
      List.of(
          "client/copies/AnsweredBy",
          "client/secret/ClusterSecret",
          "model/objective/Locality",
          "model/objective/Objective",
          "model/objective/ObjectiveWorkload",
          "model/objective/OfferedLoad",
          "model/objective/OfferedLoad$ClientCount",
          "model/objective/OfferedLoad$OperationRate",
          "model/objective/ResponseTarget",
          "model/objective/ServiceClass",
          "model/objective/ServiceFigures",
          "model/objective/ServiceVerdict",
          "model/objective/Statistic");

  private static final List<String> MODULES =
      List.of(
          "ecstore-wire",
          "ecstore-client",
          "ecstore-codec-json",
          "ecstore-codec-protobuf",
          "ecstore-junit",
          "ecstore-spring");

  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
  private static final ClassFile CLASS_FILE =
      ClassFile.of(ClassFile.DebugElementsOption.DROP_DEBUG);

  private ApiJar() {}

  /** Writes what this checkout has, always the same bytes for the same classes. */
  static void write(Path jar, Predicate<MethodModel> kept) throws IOException {
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (Map.Entry<String, byte[]> each : classes(kept).entrySet()) {
        ZipEntry entry = new ZipEntry(each.getKey());
        entry.setTime(0);
        out.putNextEntry(entry);
        out.write(each.getValue());
      }
    }
  }

  private static Map<String, byte[]> classes(Predicate<MethodModel> kept) throws IOException {
    Map<String, byte[]> found = new TreeMap<>();
    for (String module : MODULES) {
      Path root = CHECKOUT.resolve(module).resolve("target/classes");
      for (Path file : classesIn(root.resolve("org/ecstore"))) {
        found.put(root.relativize(file).toString(), strip(file, kept));
      }
    }
    return found;
  }

  private static List<Path> classesIn(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    for (String name : PACKAGES) {
      Path folder = root.resolve(name);
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          files.filter(file -> file.toString().endsWith(".class")).forEach(found::add);
        }
      }
    }
    CLASSES.stream()
        .map(name -> root.resolve(name + ".class"))
        .filter(Files::exists)
        .forEach(found::add);
    return found;
  }

  private static byte[] strip(Path file, Predicate<MethodModel> kept) {
    try {
      ClassModel parsed = CLASS_FILE.parse(Files.readAllBytes(file));
      return CLASS_FILE.transformClass(parsed, withoutInsides(kept));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ClassTransform withoutInsides(Predicate<MethodModel> kept) {
    return ClassTransform.dropping(
            element ->
                switch (element) {
                  case MethodModel method -> isHidden(method.flags().flags()) || !kept.test(method);
                  case FieldModel field -> isHidden(field.flags().flags());
                  default -> false;
                })
        .andThen(
            ClassTransform.transformingMethods(
                MethodTransform.dropping(CodeModel.class::isInstance)));
  }

  private static boolean isHidden(Set<AccessFlag> flags) {
    return !flags.contains(AccessFlag.PUBLIC) && !flags.contains(AccessFlag.PROTECTED);
  }
}
