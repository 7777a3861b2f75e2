package org.ecstore.bookstore.model;

import java.util.Locale;

/** The twenty-four subjects of books (TPC-W 1.8, 4.6.2). */
public enum BookSubject {
  ARTS,
  BIOGRAPHIES,
  BUSINESS,
  CHILDREN,
  COMPUTERS,
  COOKING,
  HEALTH,
  HISTORY,
  HOME,
  HUMOR,
  LITERATURE,
  MYSTERY,
  NON_FICTION,
  PARENTING,
  POLITICS,
  REFERENCE,
  RELIGION,
  ROMANCE,
  SELF_HELP,
  SCIENCE_NATURE,
  SCIENCE_FICTION,
  SPORTS,
  TRAVEL,
  YOUTH;

  /** As people read it. */
  public String title() {
    return switch (this) {
      case NON_FICTION -> "Non-fiction";
      case SELF_HELP -> "Self-help";
      case SCIENCE_NATURE -> "Science and nature";
      default -> {
        String words = name().replace('_', ' ').toLowerCase(Locale.ROOT);
        yield Character.toUpperCase(words.charAt(0)) + words.substring(1);
      }
    };
  }
}
