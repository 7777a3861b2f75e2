package org.ecstore.client;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.ServiceLoader;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.EmbeddedStoreProvider;
import org.jspecify.annotations.Nullable;

/** Those who can open a store in a directory, as the class path has them. */
final class EmbeddedStores {
  /** A class path has one or two. */
  private static final int PROVIDERS_MAX = 16;

  private static final String NEEDS =
      "an embedded store needs the artifact org.ecstore:ecstore-embedded on the class path";

  private EmbeddedStores() {}

  /**
   * Opens it by the first provider that works on this Java.
   *
   * @throws UnavailableException if there is none
   */
  static Connector open(Path directory) {
    Found found = firstThatWorks(ServiceLoader.load(EmbeddedStoreProvider.class).iterator());
    if (found.provider == null) {
      throw none(directory, found.compiledForNewer);
    }
    return found.provider.open(directory);
  }

  private record Found(
      @Nullable EmbeddedStoreProvider provider, @Nullable LinkageError compiledForNewer) {}

  private static Found firstThatWorks(Iterator<EmbeddedStoreProvider> providers) {
    @Nullable LinkageError compiledForNewer = null;
    for (int asked = 0; asked < PROVIDERS_MAX; asked++) {
      try {
        if (!providers.hasNext()) {
          break;
        }
        EmbeddedStoreProvider provider = providers.next();
        if (provider.worksHere()) {
          return new Found(provider, compiledForNewer);
        }
      } catch (UnsupportedClassVersionError e) {
        compiledForNewer = e;
      }
    }
    return new Found(null, compiledForNewer);
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
