package org.ecstore.bookstore;

import java.time.LocalDate;
import org.ecstore.bookstore.model.Address;

/** What a person says who has bought nothing here yet. */
public record NewCustomer(
    String firstName,
    String lastName,
    Address address,
    String phone,
    String email,
    LocalDate born,
    String data) {
  /** How long each text may be. */
  public static final int TEXT_MAX = 500;
}
