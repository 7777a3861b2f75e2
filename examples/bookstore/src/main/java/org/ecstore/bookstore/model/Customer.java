package org.ecstore.bookstore.model;

import java.time.Instant;
import java.time.LocalDate;

/**
 * A person who buys books.
 *
 * @param id from 1
 * @param userName {@link org.ecstore.bookstore.population.TpcwNames#digSyl} of the id
 * @param password as TPC-W has it, in plain: a shop with people in it keeps a hash
 * @param addressId of an {@link Address}
 * @param lastLogin the login before the last one
 * @param login the last one
 * @param expires when it is over
 * @param discountPercent of the price of books
 * @param balanceCents what the shop owes
 * @param yearCents paid this year
 * @param data what is known besides
 */
public record Customer(
    long id,
    String userName,
    String password,
    String firstName,
    String lastName,
    long addressId,
    String phone,
    String email,
    LocalDate since,
    Instant lastLogin,
    Instant login,
    Instant expires,
    int discountPercent,
    long balanceCents,
    long yearCents,
    LocalDate born,
    String data) {
  /** The same, logged in now. */
  public Customer loggedIn(Instant now, Instant until) {
    return new Customer(
        id,
        userName,
        password,
        firstName,
        lastName,
        addressId,
        phone,
        email,
        since,
        login,
        now,
        until,
        discountPercent,
        balanceCents,
        yearCents,
        born,
        data);
  }
}
