package org.ecstore.bookstore;

import java.time.LocalDate;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.CardTransaction.CardType;
import org.ecstore.bookstore.model.ShipType;

/**
 * A form that buys.
 *
 * @param submission its number: sent again, it is the same purchase
 * @param customer who is logged in
 * @param shipTo another address than the customer's
 */
public record Purchase(
    String submission,
    UUID cart,
    long customer,
    CardType cardType,
    String cardNumber,
    String cardHolder,
    LocalDate cardExpires,
    ShipType shipType,
    Optional<Address> shipTo) {}
