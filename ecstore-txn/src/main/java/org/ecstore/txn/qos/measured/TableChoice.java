package org.ecstore.txn.qos.measured;

import java.util.Optional;

/**
 * Which table an application goes by.
 *
 * @param why there is none, in words; empty if there is one
 */
public record TableChoice(Optional<KnownTable> table, String why) {
  static TableChoice of(KnownTable table) {
    return new TableChoice(Optional.of(table), "");
  }

  static TableChoice none(String why) {
    return new TableChoice(Optional.empty(), why);
  }
}
