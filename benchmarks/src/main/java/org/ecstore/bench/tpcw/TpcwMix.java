package org.ecstore.bench.tpcw;

import java.util.ArrayList;
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
 * <p>Written as TPC-W's tables are: from a page, in the order of their thresholds, the pages that
 * may follow.
 */
public enum TpcwMix {
  /** 95 of 100 pages are for browsing. */
  BROWSING(
      """
      ADMC: HOME 9877, SREQ 9999
      ADMR: ADMC 8999, HOME 9999
      BESS: HOME 4607, PROD 5259, SREQ 9942, SHOP 9999
      BUYC: HOME 342, SREQ 9999
      BUYR: BUYC 9199, HOME 9595, SHOP 9999
      CREG: BUYR 9145, HOME 9619, SREQ 9999
      HOME: BESS 3792, NEWP 7585, ORDI 7688, SREQ 9559, SHOP 9999
      NEWP: HOME 299, PROD 9867, SREQ 9941, SHOP 9999
      ORDD: HOME 802, SREQ 9999
      ORDI: HOME 523, ORDD 8856, SREQ 9999
      PROD: ADMR 47, HOME 8346, PROD 9749, SREQ 9890, SHOP 9999
      SREQ: HOME 788, SRES 9955, SHOP 9999
      SRES: HOME 3674, PROD 9868, SREQ 9942, SHOP 9999
      SHOP: CREG 4099, HOME 8883, SHOP 9999
      """),

  /**
   * 80 of 100 pages are for browsing: the mix whose rate is called WIPS. A published implementation
   * has 9992 for SHOP to HOME: then no page's share is round.
   */
  SHOPPING(
      """
      ADMC: HOME 9952, SREQ 9999
      ADMR: ADMC 8999, HOME 9999
      BESS: HOME 167, PROD 472, SREQ 9927, SHOP 9999
      BUYC: HOME 84, SREQ 9999
      BUYR: BUYC 4614, HOME 6546, SHOP 9999
      CREG: BUYR 8666, HOME 8760, SREQ 9999
      HOME: BESS 3124, NEWP 6249, ORDI 6718, SREQ 7026, SHOP 9999
      NEWP: HOME 156, PROD 9735, SREQ 9784, SHOP 9999
      ORDD: HOME 69, SREQ 9999
      ORDI: HOME 72, ORDD 8872, SREQ 9999
      PROD: ADMR 58, HOME 832, PROD 1288, SREQ 8603, SHOP 9999
      SREQ: HOME 635, SRES 9135, SHOP 9999
      SRES: HOME 2657, PROD 9294, SREQ 9304, SHOP 9999
      SHOP: CREG 2585, HOME 9552, SHOP 9999
      """),

  /** Half of the pages are for browsing. */
  ORDERING(
      """
      ADMC: HOME 8348, SREQ 9999
      ADMR: ADMC 8999, HOME 9999
      BESS: HOME 1, PROD 333, SREQ 9998, SHOP 9999
      BUYC: HOME 2, SREQ 9999
      BUYR: BUYC 7999, HOME 9453, SHOP 9999
      CREG: BUYR 9899, HOME 9901, SREQ 9999
      HOME: BESS 499, NEWP 999, ORDI 1269, SREQ 1295, SHOP 9999
      NEWP: HOME 504, PROD 9942, SREQ 9976, SHOP 9999
      ORDD: HOME 9939, SREQ 9999
      ORDI: HOME 1168, ORDD 9968, SREQ 9999
      PROD: ADMR 99, HOME 3750, PROD 5621, SREQ 6341, SHOP 9999
      SREQ: HOME 815, SRES 9815, SHOP 9999
      SRES: HOME 486, PROD 7817, SREQ 9998, SHOP 9999
      SHOP: CREG 9499, HOME 9918, SHOP 9999
      """);

  /** What is drawn is at most this. */
  static final int DRAWN_MAX = 9_999;

  /** Shares are as near as they get long before. */
  private static final int STEPS = 2_000;

  private record Threshold(Interaction page, int atMost) {}

  @SuppressWarnings("ImmutableEnumChecker") // Written by the constructor only.
  private final Map<Interaction, List<Threshold>> rows = new EnumMap<>(Interaction.class);

  TpcwMix(String table) {
    for (String line : table.lines().toList()) {
      String[] row = line.split(": ", -1);
      List<Threshold> thresholds = new ArrayList<>();
      for (String cell : row[1].split(", ", -1)) {
        String[] follows = cell.split(" ", -1);
        thresholds.add(new Threshold(Interaction.of(follows[0]), Integer.parseInt(follows[1])));
      }
      rows.put(Interaction.of(row[0]), List.copyOf(thresholds));
    }
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
