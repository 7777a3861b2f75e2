package org.ecstore.tools.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where messages go is for the application to say, so no library brings a binding along. */
class LoggingBindingTest {
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
  private static final String SERVICE = "META-INF/services/org.slf4j.spi.SLF4JServiceProvider";
  private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>.*?</dependency>");

  @Test
  void onlyTheToolsChooseABinding() throws IOException {
    List<Path> poms;
    try (Stream<Path> folders = Files.list(CHECKOUT)) {
      poms =
          folders
              .filter(folder -> folder.getFileName().toString().startsWith("ecstore-"))
              .filter(folder -> !folder.endsWith("ecstore-tools"))
              .map(folder -> folder.resolve("pom.xml"))
              .toList();
    }
    assertTrue(poms.size() > 10, poms::toString);
    for (Path pom : poms) {
      DEPENDENCY
          .matcher(Files.readString(pom))
          .results()
          .map(found -> found.group())
          .filter(dependency -> dependency.contains("slf4j-simple"))
          .forEach(
              dependency ->
                  assertTrue(dependency.contains("<scope>test</scope>"), () -> pom + dependency));
    }
  }

  /** The class path here has all of the libraries, and what they need. */
  @Test
  void noLibraryBringsAnotherAlong() throws IOException {
    List<String> bindings = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (entry.endsWith(".jar")) {
        try (JarFile jar = new JarFile(entry)) {
          if (jar.getEntry(SERVICE) != null) {
            bindings.add(Path.of(entry).getFileName().toString().replaceAll("-[0-9].*", ""));
          }
        }
      }
    }
    assertEquals(List.of("slf4j-simple"), bindings);
  }
}
