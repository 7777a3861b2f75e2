package org.ecstore.sim.mutant;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.util.ArrayList;
import java.util.List;

/** The class files of the class path, read and changed. */
final class ClassBytes {
  private final ClassLoader source;
  private final ClassFile files;

  ClassBytes(ClassLoader source) {
    this.source = source;
    this.files =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(source)
                    .orElse(ClassHierarchyResolver.defaultResolver())
                    .cached()));
  }

  /** Whether a class is on the class path. */
  boolean has(String type) {
    return source.getResource(fileOf(type)) != null;
  }

  private static String fileOf(String type) {
    return type.replace('.', '/') + ".class";
  }

  /**
   * The bytes of a class.
   *
   * @throws IllegalArgumentException if it is not on the class path
   */
  byte[] read(String type) {
    try (InputStream in = source.getResourceAsStream(fileOf(type))) {
      if (in == null) {
        throw new IllegalArgumentException("no class " + type + " on the class path");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything that can be changed in a class and those nested in it. */
  List<Mutant> mutants(String topLevel) {
    List<Mutant> found = new ArrayList<>();
    for (String type : nest(topLevel)) {
      for (MethodModel method : files.parse(read(type)).methods()) {
        String name = nameOf(method);
        for (Places.Place place : Places.of(method)) {
          for (Kind kind : place.kinds()) {
            found.add(new Mutant(type, name, place.number(), kind, place.line(), place.what()));
          }
        }
      }
    }
    return found;
  }

  private List<String> nest(String topLevel) {
    List<String> types = new ArrayList<>(List.of(topLevel));
    ClassModel host = files.parse(read(topLevel));
    host.findAttribute(Attributes.nestMembers())
        .ifPresent(
            nest ->
                nest.nestMembers()
                    .forEach(member -> types.add(member.asInternalName().replace('/', '.'))));
    return types;
  }

  /** A class whose loops are counted. */
  byte[] counted(String type) {
    return new Rewriting(files).counted(files.parse(read(type)));
  }

  /** A class with one change, whose loops are counted. */
  byte[] mutated(Mutant mutant) {
    return new Rewriting(files).mutated(files.parse(read(mutant.type())), mutant);
  }

  /** What is wrong with a class by the rules of the virtual machine; empty if nothing. */
  List<String> verify(byte[] bytes) {
    return files.verify(bytes).stream().map(VerifyError::getMessage).toList();
  }

  static String nameOf(MethodModel method) {
    return method.methodName().stringValue() + method.methodType().stringValue();
  }
}
