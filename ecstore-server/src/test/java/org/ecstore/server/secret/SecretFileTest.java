package org.ecstore.server.secret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that hold a secret. */
class SecretFileTest {
  private static final Bytes MESSAGE = Bytes.utf8("message");

  @TempDir private Path directory;

  @Test
  void fileThatIsMadeIsForItsOwnerOnlyAndIsNotMadeAgain() throws IOException {
    Path file = directory.resolve("cluster/cluster.secret");
    SecretFile.createIfAbsent(file);
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertFalse(SecretFile.isOpenToOthers(file));
    Bytes proof = SecretFile.read(file).proof(MESSAGE);
    SecretFile.createIfAbsent(file);
    assertEquals(proof, SecretFile.read(file).proof(MESSAGE));
    try (var files = Files.list(file.getParent())) {
      assertEquals(1, files.count());
    }
  }

  @Test
  void twoFilesAreTwoSecrets() throws IOException {
    SecretFile.createIfAbsent(directory.resolve("one"));
    SecretFile.createIfAbsent(directory.resolve("two"));
    assertFalse(
        ClusterSecret.same(
            SecretFile.read(directory.resolve("one")).proof(MESSAGE),
            SecretFile.read(directory.resolve("two")).proof(MESSAGE)));
  }

  @Test
  void whiteSpaceAroundASecretIsNoPartOfIt() throws IOException {
    String text = "0123456789abcdef0123456789abcdef";
    Path file = Files.writeString(directory.resolve("secret"), "  " + text + "\n\n");
    assertEquals(ClusterSecret.of(text).proof(MESSAGE), SecretFile.read(file).proof(MESSAGE));
  }

  @Test
  void fileThatOthersCanReadIsNoticed() throws IOException {
    Path file = Files.writeString(directory.resolve("secret"), "x");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertTrue(SecretFile.isOpenToOthers(file));
  }

  @Test
  void whatIsWrongIsSaidWithoutTheSecret() throws IOException {
    Path file = Files.writeString(directory.resolve("secret"), "hunter2");
    String said = assertThrows(IOException.class, () -> SecretFile.read(file)).getMessage();
    assertEquals(file + " is no secret: a secret has at least 32 characters, not 7", said);
    Path absent = directory.resolve("absent");
    said = assertThrows(IOException.class, () -> SecretFile.read(absent)).getMessage();
    assertEquals(absent + " is not there: " + absentHint(), said);
  }

  @Test
  void fileWithoutAnEndIsReadAsFarAsASecretGoes() {
    Path endless = Path.of("/dev/zero");
    String said = assertThrows(IOException.class, () -> SecretFile.read(endless)).getMessage();
    assertEquals("/dev/zero is no secret: has more than 4096 bytes: it is another file", said);
    said = assertThrows(IOException.class, () -> SecretFile.read(directory)).getMessage();
    assertEquals(directory + " is no secret: is a directory, not a file", said);
  }

  private static String absentHint() {
    return "copy it from a node of the cluster, or make one by " + SecretFile.HOW_TO_MAKE;
  }
}
