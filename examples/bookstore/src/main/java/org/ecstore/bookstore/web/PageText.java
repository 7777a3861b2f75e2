package org.ecstore.bookstore.web;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.Countries;
import org.springframework.stereotype.Component;

/** How pages write things; in templates as {@code @shown}. */
@Component("shown")
public class PageText {
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("MMMM d, uuuu 'at' HH:mm 'UTC'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private final String store;

  PageText(ShopProperties properties) {
    this.store = properties.store().equals("mariadb") ? "MariaDB" : "ecStore";
  }

  /** Cents as dollars. */
  public String money(long cents) {
    return String.format(Locale.US, "$%,d.%02d", cents / 100, cents % 100);
  }

  /** Cents as a form has them. */
  public String price(long cents) {
    return String.format(Locale.US, "%d.%02d", cents / 100, cents % 100);
  }

  /** A moment. */
  public String moment(Instant moment) {
    return MOMENT.format(moment);
  }

  /** A country by its number. */
  public String country(int number) {
    return Countries.name(number);
  }

  /** All countries. */
  public List<String> countries() {
    return Countries.names();
  }

  /** A subject by its name. */
  public String subject(String name) {
    return BookSubject.valueOf(name).title();
  }

  /** All subjects. */
  public List<BookSubject> subjects() {
    return List.of(BookSubject.values());
  }

  /** A constant for people: its words, the first letter large. */
  public String words(Enum<?> constant) {
    String words = constant.name().replace('_', ' ').toLowerCase(Locale.ROOT);
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  /** The store that the shop is on. */
  public String store() {
    return store;
  }
}
