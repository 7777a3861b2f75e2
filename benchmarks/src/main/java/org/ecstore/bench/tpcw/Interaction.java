package org.ecstore.bench.tpcw;

import java.time.Duration;
import java.util.Arrays;

/**
 * The fourteen pages of TPC-W, with the time within which nine of ten of a page's answers must have
 * come (TPC-W 1.8, 5.6.1; not confirmed against the specification).
 */
public enum Interaction {
  HOME("HOME", 3, true),
  NEW_PRODUCTS("NEWP", 5, true),
  BEST_SELLERS("BESS", 5, true),
  PRODUCT_DETAIL("PROD", 3, true),
  SEARCH_REQUEST("SREQ", 3, true),
  SEARCH_RESULTS("SRES", 10, true),
  SHOPPING_CART("SHOP", 3, false),
  CUSTOMER_REGISTRATION("CREG", 3, false),
  BUY_REQUEST("BUYR", 3, false),
  BUY_CONFIRM("BUYC", 5, false),
  ORDER_INQUIRY("ORDI", 3, false),
  ORDER_DISPLAY("ORDD", 3, false),
  ADMIN_REQUEST("ADMR", 3, false),
  ADMIN_CONFIRM("ADMC", 20, false);

  private final String abbreviation;
  private final Duration limit;
  private final boolean browsing;

  Interaction(String abbreviation, int limitSeconds, boolean browsing) {
    this.abbreviation = abbreviation;
    this.limit = Duration.ofSeconds(limitSeconds);
    this.browsing = browsing;
  }

  /** The page that TPC-W's tables call so. */
  static Interaction of(String abbreviation) {
    return Arrays.stream(values())
        .filter(page -> page.abbreviation.equals(abbreviation))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no page of TPC-W: " + abbreviation));
  }

  /** As TPC-W's tables call it. */
  public String abbreviation() {
    return abbreviation;
  }

  /** Within this nine of ten have to be answered. */
  public Duration limit() {
    return limit;
  }

  /** Whether it counts as browsing, and not as ordering: what mixes are named by. */
  public boolean isBrowsing() {
    return browsing;
  }
}
