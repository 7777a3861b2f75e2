package org.ecstore.server.secret;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.server.file.FileErrors;
import org.ecstore.server.file.SmallFiles;

/** A file that holds a secret as one line of text, for its owner only. */
public final class SecretFile {
  /** How an operator makes one. */
  public static final String HOW_TO_MAKE =
      "(umask 077; head -c 32 /dev/urandom | base64 > cluster.secret)";

  private static final int BYTES_MAX = 4096;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private SecretFile() {}

  /**
   * Reads one.
   *
   * @throws IOException if there is none; the message says what to do, and does not hold the secret
   */
  public static ClusterSecret read(Path file) throws IOException {
    try {
      return ClusterSecret.of(SmallFiles.readText(file, BYTES_MAX));
    } catch (WrongArgumentException e) {
      throw new IOException(file + " is no secret: " + e.getMessage(), e);
    } catch (NoSuchFileException e) {
      throw new IOException(
          file + " is not there: copy it from a node of the cluster, or make one by " + HOW_TO_MAKE,
          e);
    } catch (FileSystemException e) {
      throw new IOException(file + " is no secret: " + FileErrors.reason(e), e);
    }
  }

  /** Whether others than the owner may read it. */
  public static boolean isOpenToOthers(Path file) throws IOException {
    return isPosix(file)
        && Files.getPosixFilePermissions(file).stream()
            .anyMatch(each -> !each.name().startsWith("OWNER_"));
  }

  /** Makes one where there is none; only its owner can read it at any time. */
  public static void createIfAbsent(Path file) throws IOException {
    if (Files.exists(file)) {
      return;
    }
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) {
      throw new IOException(file + " is a directory");
    }
    Files.createDirectories(directory);
    Path fresh = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(fresh);
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            ownerOnly(directory))) {
      ByteBuffer text = ByteBuffer.wrap(Bytes.utf8(ClusterSecret.randomText() + "\n").array());
      while (text.hasRemaining()) {
        channel.write(text);
      }
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.forceDirectory(directory);
  }

  private static FileAttribute<?>[] ownerOnly(Path directory) {
    return isPosix(directory)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
