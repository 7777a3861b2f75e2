package org.ecstore.server.admission;

/**
 * Who wants something of a node: what budgets, and later policies, are kept for.
 *
 * @param peer where the connection comes from
 * @param application which said so of itself
 */
public record Origin(String peer, String application) {
  /** Of those that have not said which application they are. */
  public static final String ANY_APPLICATION = "any";

  /** One that has not said which application it is. */
  public static Origin ofPeer(String peer) {
    return new Origin(peer, ANY_APPLICATION);
  }
}
