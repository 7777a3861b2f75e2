package org.ecstore.server.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLockTest {
  @TempDir private Path directory;

  @Test
  void aDirectoryHasOneOwnerInAProcess() throws IOException {
    Path data = directory.resolve("data");
    DirectoryLock lock = DirectoryLock.acquire(data);
    DirectoryInUseException refused =
        assertThrows(DirectoryInUseException.class, () -> DirectoryLock.acquire(data));
    assertTrue(String.valueOf(refused.getMessage()).contains(data.toString()));
    // By another name it is the same directory.
    Path link = Files.createSymbolicLink(directory.resolve("link"), data);
    assertThrows(DirectoryInUseException.class, () -> DirectoryLock.acquire(link));
    lock.close();
    DirectoryLock.acquire(link).close();
    DirectoryLock.acquire(data).close();
  }

  /** The second process. */
  static final class Second {
    private Second() {}

    public static void main(String[] arguments) throws IOException {
      try (DirectoryLock lock = DirectoryLock.acquire(Path.of(arguments[0]))) {
        System.out.println("acquired " + lock.directory());
      } catch (DirectoryInUseException e) {
        System.out.println(e.getMessage());
        System.exit(3);
      }
    }
  }

  private String second(int expectedExit) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Second.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(expectedExit, process.waitFor(), said);
    return said;
  }

  @Test
  void aDirectoryHasOneOwnerAmongProcesses() throws Exception {
    DirectoryLock lock = DirectoryLock.acquire(directory);
    // Asking again in this process must not give the lock away.
    assertThrows(DirectoryInUseException.class, () -> DirectoryLock.acquire(directory));
    String said = second(3);
    assertTrue(said.contains(directory.toString()), said);
    assertTrue(said.contains("(" + ProcessHandle.current().pid() + ")"), said);
    lock.close();
    assertTrue(second(0).contains("acquired"));
    DirectoryLock.acquire(directory).close();
  }

  /** Who waits for it is told for what. */
  @Test
  void whatTheOwnerDoesIsKnownToOthers() throws Exception {
    try (DirectoryLock _ = DirectoryLock.acquire(directory, "cluster up")) {
      DirectoryInUseException refused =
          assertThrows(DirectoryInUseException.class, () -> DirectoryLock.acquire(directory));
      assertEquals("this process (cluster up)", refused.holder());
      String said = second(3);
      String holder = "another process (%d, cluster up)".formatted(ProcessHandle.current().pid());
      assertTrue(said.startsWith(directory + " is in use by " + holder), said);
    }
    try (DirectoryLock _ = DirectoryLock.acquire(directory)) {
      String said = second(3);
      assertTrue(said.contains("(" + ProcessHandle.current().pid() + ")"), said);
    }
  }

  /** The file of a lock has any name that a user's file may have, too. */
  @Test
  void anotherFileOfThatNameIsKnown() throws IOException {
    assertTrue(DirectoryLock.isFreeToLock(directory.resolve("none")));
    assertTrue(DirectoryLock.isFreeToLock(directory));
    Path file = Files.writeString(directory.resolve(DirectoryLock.FILE_NAME), "1234, cluster up");
    assertTrue(DirectoryLock.isFreeToLock(directory), "one that was left");
    DirectoryLock.acquire(directory, "cluster up").close();
    assertTrue(DirectoryLock.isFreeToLock(directory), Files.readString(file));
    Files.writeString(file, "1234\nthe numbers of my locks");
    assertFalse(DirectoryLock.isFreeToLock(directory));
    Files.writeString(file, "1234, " + "cluster up ".repeat(10));
    assertFalse(DirectoryLock.isFreeToLock(directory), "longer than any");
  }

  /** What it leads to would be written over, or made. */
  @Test
  void aLinkOfThatNameIsNoLock() throws IOException {
    Path lock = directory.resolve(DirectoryLock.FILE_NAME);
    Path count = Files.writeString(directory.resolve("count.txt"), "42");
    Files.createSymbolicLink(lock, count);
    assertFalse(DirectoryLock.isFreeToLock(directory));
    assertThrows(IOException.class, () -> DirectoryLock.acquire(directory));
    assertEquals("42", Files.readString(count));
    Files.delete(count);
    assertFalse(DirectoryLock.isFreeToLock(directory));
    assertThrows(IOException.class, () -> DirectoryLock.acquire(directory));
    assertFalse(Files.exists(count));
  }

  /** It is looked at by those who then fail to take it, and must not be lost by that. */
  @Test
  void aLockThatIsHeldIsStillHeldWhenItIsLookedAt() throws Exception {
    try (DirectoryLock _ = DirectoryLock.acquire(directory)) {
      assertTrue(DirectoryLock.isFreeToLock(directory));
      second(3);
    }
  }
}
