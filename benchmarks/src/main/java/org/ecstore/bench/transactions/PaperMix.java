package org.ecstore.bench.transactions;

import java.util.Locale;

/** TPC-W's mixes as the paper has them: by how many transactions write. Paper: ecStore, C.3. */
public enum PaperMix {
  BROWSING(5),
  SHOPPING(20),
  ORDERING(50);

  private final int updates;

  PaperMix(int updates) {
    this.updates = updates;
  }

  /** How many of a hundred transactions write, half of them to a cart and half an order. */
  public int updates() {
    return updates;
  }

  /** As charts name it. */
  public String title() {
    return name().charAt(0)
        + name().substring(1).toLowerCase(Locale.ROOT)
        + ", "
        + updates
        + "% updates";
  }
}
