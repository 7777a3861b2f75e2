package org.ecstore.tools.attack;

import java.util.Locale;

/** What an attack is made of. */
public enum AttackKind {
  /** Bytes that mean nothing, at every stage of a connection and at every port. */
  RANDOM("random bytes, before and after the greeting, at every port of a node"),

  /**
   * Real messages that end before they are over, in pieces, then closed or held; at ports of others
   * lengths are announced, and nothing follows.
   */
  PARTIAL("real messages cut short, some held open; lengths announced at every other port"),

  /** Requests of every type that the codec knows, with some bits and bytes changed. */
  MUTATED("requests of every type, real ones and such as the codec draws, with bits changed"),

  /** Greetings of nodes, operators' requests and positions, of one that has no secret. */
  FORGED("greetings, requests and positions of one that has no secret"),

  /** What a node could say that has the secret and is wrong: positions far beyond the ledger. */
  HOLDER("a node with the secret that says what is wrong"),

  /** What a real connection between nodes was made of, said again. */
  REPLAYED("what two nodes said to each other, said again"),

  /** As much of everything as the protocol has words for. */
  GREEDY("the largest transactions, answers, greetings and floods of requests");

  private final String what;

  AttackKind(String what) {
    this.what = what;
  }

  /** As it is called on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What it is, for people. */
  public String what() {
    return what;
  }
}
