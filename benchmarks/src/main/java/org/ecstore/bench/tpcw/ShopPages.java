package org.ecstore.bench.tpcw;

/** A shop as one emulated browser uses it: whole pages, or what pages ask the data for. */
interface ShopPages extends AutoCloseable {
  /**
   * Does what one page does.
   *
   * @param page to go to
   * @param from the page before
   * @throws WrongPageException if it was answered with something else than that page
   */
  void open(Interaction page, Interaction from) throws Exception;

  /** Begins a session: nothing is in the cart and no customer is logged in. */
  void begin();

  @Override
  default void close() {}
}
