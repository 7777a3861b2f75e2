package org.ecstore.bench.smallbank;

/** The transactions of SmallBank; a load has as many of each. */
public enum Procedure {
  /** Reads both accounts of a customer. */
  BALANCE("balance"),

  /** Adds to a customer's checking account. */
  DEPOSIT_CHECKING("deposit-checking"),

  /** Adds to a customer's savings or takes from them, unless there is less than that. */
  TRANSACT_SAVINGS("transact-savings"),

  /** Moves all that a customer has to another's checking account. */
  AMALGAMATE("amalgamate"),

  /** Cashes a check, with a penalty of 1 if both accounts together hold less. */
  WRITE_CHECK("write-check");

  private final String title;

  Procedure(String title) {
    this.title = title;
  }

  /** As results name it. */
  public String title() {
    return title;
  }
}
