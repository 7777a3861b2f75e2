package org.ecstore.cluster.config;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.ecstore.engines.EngineServer;
import org.ecstore.id.NodeId;
import org.ecstore.server.file.FileErrors;
import org.ecstore.server.file.SmallFiles;

/**
 * Where the server of a node's engine is, and how to log in.
 *
 * @param passwordFile absent if the password is given, or there is none
 * @param password as it is given
 */
public record EngineAccess(
    String url, Optional<String> user, Optional<Path> passwordFile, Optional<String> password) {
  private static final String UNREADABLE = "the password of the engine's server cannot be read: ";
  private static final int NAME_LENGTH_MAX = 32;
  private static final int PASSWORD_BYTES_MAX = 4_096;

  /**
   * The server, for the engine of a node.
   *
   * @throws IOException if the password cannot be read; the message says what to do
   */
  public EngineServer server(String cluster, NodeId node) throws IOException {
    return new EngineServer(url, user, readPassword(), store(cluster, node));
  }

  private Optional<String> readPassword() throws IOException {
    return passwordFile.isPresent() ? Optional.of(read(passwordFile.get())) : password;
  }

  /**
   * The password that is in a file, without white space at its ends.
   *
   * @throws IOException if there is none; the message says what to do
   */
  static String read(Path file) throws IOException {
    try {
      String read = SmallFiles.readText(file, PASSWORD_BYTES_MAX).strip();
      if (read.isEmpty()) {
        throw new IOException(
            file + " is empty: write the password of the engine's server into it");
      }
      if (read.chars().anyMatch(letter -> letter == '\n' || letter == 0)) {
        throw new IOException(
            file + " has more than one line, or a NUL: write the password alone into it");
      }
      return read;
    } catch (FileSystemException e) {
      throw new IOException(UNREADABLE + file + ": " + FileErrors.reason(e), e);
    } catch (IOException e) {
      throw new IOException(UNREADABLE + e.getMessage(), e);
    }
  }

  /**
   * The node's own name on a server that several share, of what names of tables may have. Two
   * clusters whose names come to the same do not mix: a store is known by its directory too.
   */
  static String store(String cluster, NodeId node) {
    String plain = cluster.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_");
    return plain.substring(0, Math.min(plain.length(), NAME_LENGTH_MAX)) + "_" + node.value();
  }

  @Override
  public String toString() {
    return "EngineAccess[url=" + EngineServer.shown(url) + ", user=" + user + "]";
  }
}
