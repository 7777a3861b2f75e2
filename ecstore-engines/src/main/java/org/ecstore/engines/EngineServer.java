package org.ecstore.engines;

import java.util.Optional;

/**
 * The server that an engine keeps its data on, of a kind that has one.
 *
 * @param url where it is, in the form that the kind's driver knows
 * @param user by whose name to log in; absent: as the URL or the driver says
 * @param password absent if there is none; never shown
 * @param store by which name the node's data are known there, for several nodes may share a server:
 *     lower-case letters, digits and {@code _}
 */
public record EngineServer(
    String url, Optional<String> user, Optional<String> password, String store) {
  @Override
  public String toString() {
    return "EngineServer[url=" + url + ", store=" + store + "]";
  }
}
