package org.ecstore.bookstore.web;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.CardTransaction.CardType;
import org.ecstore.bookstore.model.Countries;
import org.ecstore.bookstore.model.ShipType;
import org.springframework.stereotype.Component;

/** How pages write prices, moments and names; in templates it is {@code @shown}. */
@Component("shown")
public class PageText {
  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("MMMM d, uuuu 'at' HH:mm 'UTC'", Locale.US)
          .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("MMMM d, uuuu", Locale.US);

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

  /** A day. */
  public String day(LocalDate day) {
    return DAY.format(day);
  }

  /** What a customer did wrong, as a sentence. */
  public String sentence(String text) {
    String sentence = text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    return sentence.endsWith(".") ? sentence : sentence + ".";
  }

  /** Text that may have been cut at any letter, up to its last whole sentence. */
  public String wholeSentences(String text) {
    int end = text.lastIndexOf('.');
    return end < 0 ? text : text.substring(0, end + 1);
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

  /** A way of shipping. */
  public String shipping(ShipType way) {
    return switch (way) {
      case AIR -> "Air mail";
      case UPS -> "UPS";
      case FEDEX -> "FedEx";
      case SHIP -> "Ship";
      case COURIER -> "Courier";
      case MAIL -> "Mail";
    };
  }

  /** Whose card it is. */
  public String card(CardType type) {
    return switch (type) {
      case VISA -> "Visa";
      case MASTERCARD -> "Mastercard";
      case DISCOVER -> "Discover";
      case AMEX -> "American Express";
      case DINERS -> "Diners Club";
    };
  }

  /** The store that the shop is on. */
  public String store() {
    return store;
  }
}
