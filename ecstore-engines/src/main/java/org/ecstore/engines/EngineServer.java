package org.ecstore.engines;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The server that an engine keeps its data on, of a kind that has one.
 *
 * @param url where it is, in the form that the kind's driver knows; may hold a password
 * @param user by whose name to log in; absent: as the URL or the driver says
 * @param password absent if there is none; never shown
 * @param store by which name the node's data are known there, for several nodes may share a server:
 *     lower-case letters, digits and {@code _}
 */
public record EngineServer(
    String url, Optional<String> user, Optional<String> password, String store) {
  private static final String COVER = "***";

  /**
   * An option of the driver that is, or names, something secret. It ends where the next one begins:
   * drivers may take a semicolon for a part of it.
   */
  private static final Pattern SECRET_OPTION =
      Pattern.compile("(?i)([?&;][^=&;]*(?:pass|pwd|secret)[^=&;]*=)[^&]*");

  /** What stands before the host: a password, a name and a password, or a name alone. */
  private static final Pattern LOG_IN = Pattern.compile("(?s)://([^:@/?]*:)?.*@");

  /** The same of a text that does not begin as a URL, but was to be one. */
  private static final Pattern BEFORE_HOST =
      Pattern.compile("(?is)^(?!(?:jdbc:[a-z0-9+.-]+(?::[a-z0-9+.-]+)?|[a-z0-9+.-]+)://).*@");

  /** A URL without what is secret of it, for people. */
  public static String shown(String url) {
    String covered = SECRET_OPTION.matcher(url).replaceAll("$1" + COVER);
    String withoutLogIn = LOG_IN.matcher(covered).replaceAll("://$1" + COVER + '@');
    return BEFORE_HOST.matcher(withoutLogIn).replaceAll(COVER + '@');
  }

  /** The URL without what is secret of it, for people. */
  public String shownUrl() {
    return shown(url);
  }

  @Override
  public String toString() {
    return "EngineServer[url=" + shownUrl() + ", store=" + store + "]";
  }
}
