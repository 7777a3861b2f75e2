package org.ecstore.client.embedded;

import java.util.Iterator;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;

/**
 * The first provider of a service that works on this Java.
 *
 * @param tooNew why another one that is there could not be loaded: it is compiled for a newer Java
 */
public record Providers<P>(Optional<P> first, Optional<LinkageError> tooNew) {
  /** A class path has one or two. */
  private static final int PROVIDERS_MAX = 16;

  /** Looks for it on the class path. */
  public static <P> Providers<P> find(Class<P> service, Predicate<P> works) {
    Iterator<P> providers = ServiceLoader.load(service).iterator();
    Optional<LinkageError> tooNew = Optional.empty();
    for (int asked = 0; asked < PROVIDERS_MAX; asked++) {
      try {
        if (!providers.hasNext()) {
          break;
        }
        P provider = providers.next();
        if (works.test(provider)) {
          return new Providers<>(Optional.of(provider), tooNew);
        }
      } catch (UnsupportedClassVersionError e) {
        tooNew = Optional.of(e);
      }
    }
    return new Providers<>(Optional.empty(), tooNew);
  }
}
