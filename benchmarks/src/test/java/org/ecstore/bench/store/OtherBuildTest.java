package org.ecstore.bench.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What another checkout says of itself. */
final class OtherBuildTest {
  @Test
  void theClassPathIsWhatTheVirtualMachineShows() {
    String shown =
        """
        Property settings:
            file.separator = /
            java.class.path = /a/one.jar
                /b/two.jar
                /c/three.jar
            java.class.version = 69.0
        """;
    assertEquals(List.of("/a/one.jar", "/b/two.jar", "/c/three.jar"), OtherBuild.entries(shown));
    assertEquals(
        List.of("/a/one.jar"), OtherBuild.entries("    java.class.path = /a/one.jar\n\nrest"));
    assertEquals(List.of(), OtherBuild.entries("ecstore: no JDK 25 was found"));
  }

  @Test
  void aFolderThatIsNoCheckoutIsRefused(@TempDir Path directory) throws IOException {
    IOException refused = assertThrows(IOException.class, () -> OtherBuild.in(directory));
    assertTrue(String.valueOf(refused.getMessage()).contains("no bin/ecstore"), refused::toString);
    assertEquals(
        "build:" + directory.getFileName(),
        OtherBuild.nameOf(directory.resolve("x").resolve("..")));
    assertEquals("build:root", OtherBuild.nameOf(Path.of("/")));
    assertFalse(OtherBuild.isCheckout(directory));
    Files.createDirectories(directory.resolve("bin").resolve("ecstore"));
    assertFalse(OtherBuild.isCheckout(directory), "it is a directory");
  }
}
