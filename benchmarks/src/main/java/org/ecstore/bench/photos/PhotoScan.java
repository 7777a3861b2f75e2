package org.ecstore.bench.photos;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How many days are looked through. Paper: ecStore C.1. */
public enum PhotoScan {
  WEEK("7-days", 7),
  MONTH("1-month", 30),
  FOUR_MONTHS("4-months", 120);

  private final String title;
  private final int days;

  PhotoScan(String title, int days) {
    this.title = title;
    this.days = days;
  }

  /** As users name it. */
  public String title() {
    return title;
  }

  /** Of so many days. */
  public int days() {
    return days;
  }

  /** The scan of a name, whatever the case of its letters. */
  public static Optional<PhotoScan> of(String title) {
    return Arrays.stream(values()).filter(each -> each.title.equalsIgnoreCase(title)).findFirst();
  }

  /** All names. */
  public static List<String> titles() {
    return Arrays.stream(values()).map(PhotoScan::title).toList();
  }
}
