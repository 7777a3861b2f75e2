package org.ecstore.model;

import java.util.List;
import java.util.stream.Collectors;

/** What a node, or its process, does in a cluster. */
public enum NodeRole {
  /** Holds copies of ranges. */
  STORAGE("storage"),
  /** Runs commits of clients. */
  COORDINATOR("coordinator"),
  /** Gives commits their numbers. */
  SEQUENCER("sequencer"),
  /** Keeps the map. */
  STEWARD("steward"),
  /** Reads the ledger, to lead at once if the leader is gone. */
  STANDBY("standby"),
  /** Takes the ledger over, to lead. */
  TAKING_OVER("taking over"),
  /** Hands its ranges over. */
  LEAVING("leaving"),
  /** Has left by an operator's command; its process runs on. */
  DRAINED("drained"),
  /** Hosts a bookie. */
  BOOKIE("bookie"),
  /** One that this version has no word for. */
  UNKNOWN("unknown");

  private final String word;

  NodeRole(String word) {
    this.word = word;
  }

  /** What people call it, and messages too. */
  public String word() {
    return word;
  }

  /** The one of a word; {@link #UNKNOWN} if a later version has others. */
  public static NodeRole of(String word) {
    for (NodeRole one : values()) {
      if (one.word.equals(word)) {
        return one;
      }
    }
    return UNKNOWN;
  }

  /** Several, as people read them. */
  public static String words(List<NodeRole> roles) {
    return roles.stream().map(NodeRole::word).collect(Collectors.joining(", "));
  }
}
