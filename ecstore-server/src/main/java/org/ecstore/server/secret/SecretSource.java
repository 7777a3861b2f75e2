package org.ecstore.server.secret;

import java.io.IOException;
import java.nio.file.Path;
import org.ecstore.client.secret.ClusterSecret;

/** Where a node's secret comes from. */
public sealed interface SecretSource {
  /** In a file. */
  record File(Path path) implements SecretSource {}

  /** In the configuration itself. */
  record Value(ClusterSecret secret) implements SecretSource {}

  /**
   * The secret.
   *
   * @throws IOException if it cannot be read; the message says what to do
   */
  default ClusterSecret load() throws IOException {
    return switch (this) {
      case File(var path) -> SecretFile.read(path);
      case Value(var secret) -> secret;
    };
  }
}
