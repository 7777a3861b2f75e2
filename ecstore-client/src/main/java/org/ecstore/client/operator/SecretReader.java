package org.ecstore.client.operator;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ecstore.client.error.NotAllowedException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.secret.ClusterSecret;

/** Reads a cluster's secret where a client needs it. */
public final class SecretReader {
  private static final int BYTES_MAX = 4096;

  private SecretReader() {}

  /**
   * The secret in a file, of 4 KiB at most.
   *
   * @throws NotAllowedException if there is none; the message does not hold what the file has
   */
  public static ClusterSecret read(Path file) {
    byte[] read;
    try (InputStream in = Files.newInputStream(file)) {
      read = in.readNBytes(BYTES_MAX + 1);
    } catch (IOException e) {
      throw new NotAllowedException(
          "the file with the cluster's secret cannot be read: copy it from a node of the cluster",
          e,
          "file",
          file,
          "why",
          e);
    }
    try {
      if (read.length > BYTES_MAX) {
        throw new WrongArgumentException("it has more than " + BYTES_MAX + " bytes", null);
      }
      return ClusterSecret.of(new String(read, StandardCharsets.UTF_8));
    } catch (WrongArgumentException e) {
      throw new NotAllowedException(
          "the file holds no secret of a cluster: copy it from a node of the cluster",
          e,
          "file",
          file,
          "why",
          String.valueOf(e.getMessage()));
    }
  }
}
