package org.ecstore.cluster.config;

import java.util.Locale;
import java.util.Optional;

/**
 * One key of the configuration file.
 *
 * @param name dotted, as in the file
 * @param kind what its values may be
 * @param fallback the value if it is not given; absent if it must be given or follows from others
 * @param fallbackText the same for people
 * @param help what it means, in a sentence or two
 */
public record ConfigKey<T>(
    String name, ValueKind<T> kind, Optional<T> fallback, String fallbackText, String help) {
  private static final String ENVIRONMENT_PREFIX = "ECSTORE_";

  /** A key with a value that most will leave as it is. */
  static <T> ConfigKey<T> of(String name, ValueKind<T> kind, String written, String help) {
    T value =
        kind.read(kind.fromText(written))
            .orElseThrow(() -> new IllegalStateException(name + " defaults to " + written));
    return new ConfigKey<>(name, kind, Optional.of(value), written, help);
  }

  /** A key without a value of its own. */
  static <T> ConfigKey<T> open(String name, ValueKind<T> kind, String insteadOfValue, String help) {
    return new ConfigKey<>(name, kind, Optional.empty(), insteadOfValue, help);
  }

  /** The environment variable that comes before the file: {@code ECSTORE_NODE_ID}. */
  public String variable() {
    return ENVIRONMENT_PREFIX + name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }
}
