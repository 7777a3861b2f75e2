package org.ecstore.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds a Java on this machine that a node runs on, where {@code bin/find-jdk} looks as well. */
final class NewerJava {
  /** The least feature release. */
  static final int NEEDED = 25;

  /** Where a user names one: its home directory. */
  static final String VARIABLE = "ECSTORE_JAVA_HOME";

  private static final Pattern RELEASE = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");
  private static final String USUAL = "/usr/lib/jvm /usr/java /opt/java";

  private NewerJava() {}

  /** Its {@code java}; the first in the order in which they are looked for. */
  static Optional<Path> find() {
    return find(System.getenv());
  }

  static Optional<Path> find(Map<String, String> environment) {
    return find(environment, release -> release >= NEEDED);
  }

  /** The first whose feature release is wanted. */
  static Optional<Path> find(Map<String, String> environment, IntPredicate wanted) {
    for (Path home : homes(environment)) {
      Path java = home.resolve("bin").resolve("java");
      if (wanted.test(release(home)) && Files.isExecutable(java)) {
        return Optional.of(java);
      }
    }
    return Optional.empty();
  }

  private static List<Path> homes(Map<String, String> environment) {
    List<Path> homes = new ArrayList<>();
    for (String variable : List.of(VARIABLE, "JAVA_HOME")) {
      String named = environment.getOrDefault(variable, "");
      if (!named.isEmpty()) {
        homes.add(Path.of(named));
      }
    }
    onPath(environment).ifPresent(homes::add);
    for (String folder : environment.getOrDefault("ECSTORE_JDK_DIRS", USUAL).split(" ", -1)) {
      if (!folder.isEmpty()) {
        homes.addAll(in(Path.of(folder)));
      }
    }
    Path user = Path.of(environment.getOrDefault("HOME", "/nonexistent"));
    for (String folder :
        List.of(".sdkman/candidates/java", ".jdks", ".asdf/installs/java", ".gradle/jdks")) {
      homes.addAll(in(user.resolve(folder)));
    }
    for (Path bundle : in(Path.of("/Library/Java/JavaVirtualMachines"))) {
      homes.add(bundle.resolve("Contents/Home"));
    }
    return homes;
  }

  /** The home of the java that a shell would start, through links. */
  private static Optional<Path> onPath(Map<String, String> environment) {
    for (String folder :
        environment.getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator), -1)) {
      Path java = Path.of(folder).resolve("java");
      if (!folder.isEmpty() && Files.isExecutable(java)) {
        try {
          return Optional.of(java.toRealPath().resolve("../..").normalize());
        } catch (IOException e) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  private static List<Path> in(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(folder)) {
      return found.sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The feature release of the Java in a directory; 0 if there is none. */
  private static int release(Path home) {
    try {
      Matcher matcher = RELEASE.matcher(Files.readString(home.resolve("release")));
      return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }
}
