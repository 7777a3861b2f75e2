package org.ecstore.engines.redis;

import java.net.URI;
import java.util.Optional;

/**
 * What a URL of a server says, as Lettuce has it: {@code redis://user:password@host:port}. A word
 * before the host without a colon is a password.
 *
 * @param address the host, and its port behind a colon
 */
record RedisUrl(String address, Optional<String> user, Optional<String> password) {
  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is no URL
   */
  static RedisUrl of(String url) {
    String authority = Optional.ofNullable(URI.create(url).getAuthority()).orElse("");
    int at = authority.lastIndexOf('@');
    String before = at < 0 ? "" : authority.substring(0, at);
    int colon = before.indexOf(':');
    return new RedisUrl(
        authority.substring(at + 1),
        given(colon < 0 ? "" : before.substring(0, colon)),
        given(before.substring(colon + 1)));
  }

  private static Optional<String> given(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  @Override
  public String toString() {
    return "RedisUrl[address=" + address + "]";
  }
}
