package org.ecstore.client;

import java.nio.file.Path;
import org.ecstore.client.embedded.Providers;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.EmbeddedStoreProvider;
import org.jspecify.annotations.Nullable;

/** Those who can open a store in a directory, as the class path has them. */
final class EmbeddedStores {
  private static final String NEEDS =
      "an embedded store needs the artifact org.ecstore:ecstore-embedded on the class path";

  private EmbeddedStores() {}

  /**
   * Opens it by the first provider that works on this Java.
   *
   * @throws UnavailableException if there is none
   */
  static Connector open(Path directory) {
    Providers<EmbeddedStoreProvider> found =
        Providers.find(EmbeddedStoreProvider.class, EmbeddedStoreProvider::worksHere);
    return found
        .first()
        .orElseThrow(() -> none(directory, found.tooNew().orElse(null)))
        .open(directory);
  }

  private static UnavailableException none(Path directory, @Nullable LinkageError tooNew) {
    String text =
        tooNew == null
            ? NEEDS
            : "the node of an embedded store needs Java 25, and this is Java "
                + Runtime.version().feature()
                + ": add org.ecstore:ecstore-embedded, which runs it on a Java 25 beside this one,"
                + " or connect to a server";
    return new UnavailableException(text, tooNew, "directory", directory);
  }
}
