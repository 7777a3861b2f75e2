package org.ecstore.bench.tpcw;

import static org.ecstore.bench.tpcw.Interaction.ADMIN_CONFIRM;
import static org.ecstore.bench.tpcw.Interaction.ADMIN_REQUEST;
import static org.ecstore.bench.tpcw.Interaction.BEST_SELLERS;
import static org.ecstore.bench.tpcw.Interaction.BUY_CONFIRM;
import static org.ecstore.bench.tpcw.Interaction.BUY_REQUEST;
import static org.ecstore.bench.tpcw.Interaction.CUSTOMER_REGISTRATION;
import static org.ecstore.bench.tpcw.Interaction.HOME;
import static org.ecstore.bench.tpcw.Interaction.NEW_PRODUCTS;
import static org.ecstore.bench.tpcw.Interaction.ORDER_DISPLAY;
import static org.ecstore.bench.tpcw.Interaction.ORDER_INQUIRY;
import static org.ecstore.bench.tpcw.Interaction.PRODUCT_DETAIL;
import static org.ecstore.bench.tpcw.Interaction.SEARCH_REQUEST;
import static org.ecstore.bench.tpcw.Interaction.SEARCH_RESULTS;
import static org.ecstore.bench.tpcw.Interaction.SHOPPING_CART;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The mixes of TPC-W: which page follows which. From each page a number from 1 to 9,999 is drawn,
 * and the first page whose threshold is at least that is next (TPC-W 1.8, 5.2.2, the thresholds as
 * published implementations have them). A session begins at home.
 *
 * <p>The thresholds of a page stand in the order of {@link #columns}; a page that never follows is
 * left out of both.
 */
public enum TpcwMix {
  /** 95 of 100 pages are for browsing. */
  BROWSING(
      List.of(
          row(ADMIN_CONFIRM, to(HOME, 9877), to(SEARCH_REQUEST, 9999)),
          row(ADMIN_REQUEST, to(ADMIN_CONFIRM, 8999), to(HOME, 9999)),
          row(
              BEST_SELLERS,
              to(HOME, 4607),
              to(PRODUCT_DETAIL, 5259),
              to(SEARCH_REQUEST, 9942),
              to(SHOPPING_CART, 9999)),
          row(BUY_CONFIRM, to(HOME, 342), to(SEARCH_REQUEST, 9999)),
          row(BUY_REQUEST, to(BUY_CONFIRM, 9199), to(HOME, 9595), to(SHOPPING_CART, 9999)),
          row(
              CUSTOMER_REGISTRATION,
              to(BUY_REQUEST, 9145),
              to(HOME, 9619),
              to(SEARCH_REQUEST, 9999)),
          row(
              HOME,
              to(BEST_SELLERS, 3792),
              to(NEW_PRODUCTS, 7585),
              to(ORDER_INQUIRY, 7688),
              to(SEARCH_REQUEST, 9559),
              to(SHOPPING_CART, 9999)),
          row(
              NEW_PRODUCTS,
              to(HOME, 299),
              to(PRODUCT_DETAIL, 9867),
              to(SEARCH_REQUEST, 9941),
              to(SHOPPING_CART, 9999)),
          row(ORDER_DISPLAY, to(HOME, 802), to(SEARCH_REQUEST, 9999)),
          row(ORDER_INQUIRY, to(HOME, 523), to(ORDER_DISPLAY, 8856), to(SEARCH_REQUEST, 9999)),
          row(
              PRODUCT_DETAIL,
              to(ADMIN_REQUEST, 47),
              to(HOME, 8346),
              to(PRODUCT_DETAIL, 9749),
              to(SEARCH_REQUEST, 9890),
              to(SHOPPING_CART, 9999)),
          row(SEARCH_REQUEST, to(HOME, 788), to(SEARCH_RESULTS, 9955), to(SHOPPING_CART, 9999)),
          row(
              SEARCH_RESULTS,
              to(HOME, 3674),
              to(PRODUCT_DETAIL, 9868),
              to(SEARCH_REQUEST, 9942),
              to(SHOPPING_CART, 9999)),
          row(
              SHOPPING_CART,
              to(CUSTOMER_REGISTRATION, 4099),
              to(HOME, 8883),
              to(SHOPPING_CART, 9999)))),

  /** 80 of 100 pages are for browsing: the mix whose rate is called WIPS. */
  SHOPPING(
      List.of(
          row(ADMIN_CONFIRM, to(HOME, 9952), to(SEARCH_REQUEST, 9999)),
          row(ADMIN_REQUEST, to(ADMIN_CONFIRM, 8999), to(HOME, 9999)),
          row(
              BEST_SELLERS,
              to(HOME, 167),
              to(PRODUCT_DETAIL, 472),
              to(SEARCH_REQUEST, 9927),
              to(SHOPPING_CART, 9999)),
          row(BUY_CONFIRM, to(HOME, 84), to(SEARCH_REQUEST, 9999)),
          row(BUY_REQUEST, to(BUY_CONFIRM, 4614), to(HOME, 6546), to(SHOPPING_CART, 9999)),
          row(
              CUSTOMER_REGISTRATION,
              to(BUY_REQUEST, 8666),
              to(HOME, 8760),
              to(SEARCH_REQUEST, 9999)),
          row(
              HOME,
              to(BEST_SELLERS, 3124),
              to(NEW_PRODUCTS, 6249),
              to(ORDER_INQUIRY, 6718),
              to(SEARCH_REQUEST, 7026),
              to(SHOPPING_CART, 9999)),
          row(
              NEW_PRODUCTS,
              to(HOME, 156),
              to(PRODUCT_DETAIL, 9735),
              to(SEARCH_REQUEST, 9784),
              to(SHOPPING_CART, 9999)),
          row(ORDER_DISPLAY, to(HOME, 69), to(SEARCH_REQUEST, 9999)),
          row(ORDER_INQUIRY, to(HOME, 72), to(ORDER_DISPLAY, 8872), to(SEARCH_REQUEST, 9999)),
          row(
              PRODUCT_DETAIL,
              to(ADMIN_REQUEST, 58),
              to(HOME, 832),
              to(PRODUCT_DETAIL, 1288),
              to(SEARCH_REQUEST, 8603),
              to(SHOPPING_CART, 9999)),
          row(SEARCH_REQUEST, to(HOME, 635), to(SEARCH_RESULTS, 9135), to(SHOPPING_CART, 9999)),
          row(
              SEARCH_RESULTS,
              to(HOME, 2657),
              to(PRODUCT_DETAIL, 9294),
              to(SEARCH_REQUEST, 9304),
              to(SHOPPING_CART, 9999)),
          // A published implementation has 9992 for home: then no page's share is round.
          row(
              SHOPPING_CART,
              to(CUSTOMER_REGISTRATION, 2585),
              to(HOME, 9552),
              to(SHOPPING_CART, 9999)))),

  /** Half of the pages are for browsing. */
  ORDERING(
      List.of(
          row(ADMIN_CONFIRM, to(HOME, 8348), to(SEARCH_REQUEST, 9999)),
          row(ADMIN_REQUEST, to(ADMIN_CONFIRM, 8999), to(HOME, 9999)),
          row(
              BEST_SELLERS,
              to(HOME, 1),
              to(PRODUCT_DETAIL, 333),
              to(SEARCH_REQUEST, 9998),
              to(SHOPPING_CART, 9999)),
          row(BUY_CONFIRM, to(HOME, 2), to(SEARCH_REQUEST, 9999)),
          row(BUY_REQUEST, to(BUY_CONFIRM, 7999), to(HOME, 9453), to(SHOPPING_CART, 9999)),
          row(
              CUSTOMER_REGISTRATION,
              to(BUY_REQUEST, 9899),
              to(HOME, 9901),
              to(SEARCH_REQUEST, 9999)),
          row(
              HOME,
              to(BEST_SELLERS, 499),
              to(NEW_PRODUCTS, 999),
              to(ORDER_INQUIRY, 1269),
              to(SEARCH_REQUEST, 1295),
              to(SHOPPING_CART, 9999)),
          row(
              NEW_PRODUCTS,
              to(HOME, 504),
              to(PRODUCT_DETAIL, 9942),
              to(SEARCH_REQUEST, 9976),
              to(SHOPPING_CART, 9999)),
          row(ORDER_DISPLAY, to(HOME, 9939), to(SEARCH_REQUEST, 9999)),
          row(ORDER_INQUIRY, to(HOME, 1168), to(ORDER_DISPLAY, 9968), to(SEARCH_REQUEST, 9999)),
          row(
              PRODUCT_DETAIL,
              to(ADMIN_REQUEST, 99),
              to(HOME, 3750),
              to(PRODUCT_DETAIL, 5621),
              to(SEARCH_REQUEST, 6341),
              to(SHOPPING_CART, 9999)),
          row(SEARCH_REQUEST, to(HOME, 815), to(SEARCH_RESULTS, 9815), to(SHOPPING_CART, 9999)),
          row(
              SEARCH_RESULTS,
              to(HOME, 486),
              to(PRODUCT_DETAIL, 7817),
              to(SEARCH_REQUEST, 9998),
              to(SHOPPING_CART, 9999)),
          row(
              SHOPPING_CART,
              to(CUSTOMER_REGISTRATION, 9499),
              to(HOME, 9918),
              to(SHOPPING_CART, 9999))));

  /** What is drawn is at most this. */
  static final int DRAWN_MAX = 9_999;

  /** Shares are as near as they get long before. */
  private static final int STEPS = 2_000;

  private record Threshold(Interaction page, int atMost) {}

  private record Row(Interaction from, List<Threshold> thresholds) {}

  @SuppressWarnings("ImmutableEnumChecker") // Written by the constructor only.
  private final Map<Interaction, List<Threshold>> rows = new EnumMap<>(Interaction.class);

  TpcwMix(List<Row> table) {
    table.forEach(row -> rows.put(row.from, row.thresholds));
  }

  private static Row row(Interaction from, Threshold... thresholds) {
    return new Row(from, List.of(thresholds));
  }

  private static Threshold to(Interaction page, int atMost) {
    return new Threshold(page, atMost);
  }

  /** As it is called on the command line. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The page that follows another one. */
  public Interaction next(Interaction from, RandomGenerator random) {
    return next(from, random.nextInt(1, DRAWN_MAX + 1));
  }

  /**
   * The page that follows another one.
   *
   * @param drawn from 1 to 9,999
   */
  Interaction next(Interaction from, int drawn) {
    for (Threshold threshold : rows.getOrDefault(from, List.of())) {
      if (drawn <= threshold.atMost) {
        return threshold.page;
      }
    }
    throw new IllegalArgumentException("nothing follows " + from + " for " + drawn);
  }

  /** The pages that may follow another one, in the order of their thresholds. */
  List<Interaction> columns(Interaction from) {
    return rows.getOrDefault(from, List.of()).stream().map(Threshold::page).toList();
  }

  /** The share of each page in the long run, of a browser whose session does not end. */
  public Map<Interaction, Double> shares() {
    double[] shares = new double[Interaction.values().length];
    Arrays.fill(shares, 1.0 / shares.length);
    for (int step = 0; step < STEPS; step++) {
      shares = after(shares);
    }
    Map<Interaction, Double> found = new EnumMap<>(Interaction.class);
    for (Interaction page : Interaction.values()) {
      found.put(page, shares[index(page)]);
    }
    return found;
  }

  private double[] after(double[] shares) {
    double[] next = new double[shares.length];
    rows.forEach(
        (from, thresholds) -> {
          int below = 0;
          for (Threshold threshold : thresholds) {
            double chance = (threshold.atMost - below) / (double) DRAWN_MAX;
            next[index(threshold.page)] += shares[index(from)] * chance;
            below = threshold.atMost;
          }
        });
    return next;
  }

  private static int index(Interaction page) {
    return List.of(Interaction.values()).indexOf(page);
  }
}
