package org.ecstore.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * A project of the matrix, which says in properties of its pom what is run and what it must find.
 *
 * @param sources the folders with its sources
 * @param netty what the version of the Netty that it gets begins with
 * @param javas the releases of Java that it runs on
 */
record MatrixProject(
    String name, Path folder, List<Path> sources, String main, String netty, List<Integer> javas) {
  static MatrixProject read(Path folder) throws IOException {
    String pom = Files.readString(folder.resolve("pom.xml"));
    Path sources = folder.resolveSibling("sources");
    List<Integer> javas =
        Stream.of(property(pom, "matrix.java").split(" ", -1)).map(Integer::valueOf).toList();
    return new MatrixProject(
        folder.getFileName().toString(),
        folder,
        Stream.of(property(pom, "matrix.sources").split(" ", -1))
            .map(name -> sources.resolve(name).normalize())
            .toList(),
        property(pom, "matrix.main"),
        property(pom, "matrix.netty"),
        javas);
  }

  private static String property(String pom, String name) {
    Matcher matcher = Pattern.compile("<" + name + ">(.*)</" + name + ">").matcher(pom);
    if (!matcher.find()) {
      throw new IllegalArgumentException("a pom of the matrix has no property " + name);
    }
    return matcher.group(1);
  }

  /** The jars that Maven has found for it, which it wrote into a file below a folder. */
  List<Path> resolved(Path target) throws IOException {
    String text = Files.readString(target.resolve(name + ".classpath"));
    return Stream.of(text.strip().split(File.pathSeparator, -1)).map(Path::of).toList();
  }

  /** Other sources with the same libraries. */
  MatrixProject with(String otherName, Path otherSources) {
    return new MatrixProject(otherName, folder, List.of(otherSources), main, netty, javas);
  }

  /** Compiles it for Java 17. */
  Path compile(List<Path> classPath, Path target) throws IOException {
    Path classes = Files.createDirectories(target.resolve(name + "-classes"));
    List<String> arguments =
        new ArrayList<>(
            List.of("--release", "17", "-d", classes.toString(), "-cp", text(classPath)));
    for (Path some : sources) {
      try (Stream<Path> files = Files.list(some)) {
        files.map(Path::toString).sorted().forEach(arguments::add);
      }
    }
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    if (status != 0) {
      throw new IOException(name + " of the matrix does not compile");
    }
    return classes;
  }

  static String text(List<Path> classPath) {
    return String.join(
        File.pathSeparator, classPath.stream().map(Path::toString).toArray(String[]::new));
  }
}
