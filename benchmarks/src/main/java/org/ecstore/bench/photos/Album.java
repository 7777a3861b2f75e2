package org.ecstore.bench.photos;

import java.time.LocalDate;
import java.time.format.DateTimeFormatter;

/**
 * Which photos there are: as many on each day as on any other, one day after the other.
 *
 * @param days from {@link #FIRST_DAY} on
 * @param photosPerDay at most {@value #PER_DAY_MAX}
 */
public record Album(int days, int photosPerDay) {
  /** The first day. */
  public static final LocalDate FIRST_DAY = LocalDate.of(2009, 1, 1);

  /** As many photos as a key can number within its day. */
  public static final int PER_DAY_MAX = 1_000_000;

  /** More would leave years of four digits. */
  public static final int DAYS_MAX = 1_000_000;

  /** The table they are in. */
  public static final String TABLE = "photos";

  public Album {
    if (days < 1 || days > DAYS_MAX || photosPerDay < 1 || photosPerDay > PER_DAY_MAX) {
      throw new IllegalArgumentException(days + " days of " + photosPerDay + " photos");
    }
  }

  /** How many photos there are. */
  public long photos() {
    return (long) days * photosPerDay;
  }

  /** The key of a photo, by its number from 0 on; keys are in the order of the numbers. */
  public String key(long photo) {
    LocalDate date = FIRST_DAY.plusDays(photo / photosPerDay);
    return "%s-%06d".formatted(DateTimeFormatter.BASIC_ISO_DATE.format(date), photo % photosPerDay);
  }
}
