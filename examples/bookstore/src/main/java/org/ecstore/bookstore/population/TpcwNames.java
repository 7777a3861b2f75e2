package org.ecstore.bookstore.population;

import java.util.random.RandomGenerator;

/** Whom and what a browser names (TPC-W 1.8, 2.1 and 4.6). */
public final class TpcwNames {
  /** Customers of a browser that the population is made for. */
  public static final long CUSTOMERS_OF_A_BROWSER = 2_880;

  private static final String[] SYLLABLES = {
    "BA", "OG", "AL", "RI", "RE", "SE", "AT", "UL", "IN", "NG"
  };

  private TpcwNames() {}

  /** A number as syllables: the user name of a customer, of its decimal digits. */
  public static String digSyl(long number) {
    if (number < 0) {
      throw new IllegalArgumentException("a number below zero has no syllables: " + number);
    }
    StringBuilder text = new StringBuilder();
    for (char digit : Long.toString(number).toCharArray()) {
      text.append(SYLLABLES[digit - '0']);
    }
    return text.toString();
  }

  /**
   * A number from {@code least} to {@code most}, some far more often than others: NURand.
   *
   * @param a of the form 2^n - 1: the higher it is, the more even are they
   */
  public static long nuRand(long a, long least, long most, RandomGenerator random) {
    long drawn = random.nextLong(0, a + 1) | random.nextLong(least, most + 1);
    return drawn % (most - least + 1) + least;
  }

  /** A customer of so many, from 1 on. */
  public static long customer(long customers, RandomGenerator random) {
    return nuRand(evennessOfCustomers(customers), 1, customers, random);
  }

  /** An item of so many, from 1 on. */
  public static long item(long items, RandomGenerator random) {
    return nuRand(evennessOfItems(items), 1, items, random);
  }

  /** Of the table for customers: four times as even with four times as many. */
  static long evennessOfCustomers(long customers) {
    long a = 1_023;
    for (long below = 10_000; customers >= below && a < 4_194_303; below *= 4) {
      a = (a + 1) * 4 - 1;
    }
    return a;
  }

  /** Of the table for items. */
  static long evennessOfItems(long items) {
    if (items <= 1_000) {
      return 63;
    } else if (items <= 10_000) {
      return 511;
    } else if (items <= 100_000) {
      return 4_095;
    }
    return items <= 1_000_000 ? 32_767 : 524_287;
  }
}
