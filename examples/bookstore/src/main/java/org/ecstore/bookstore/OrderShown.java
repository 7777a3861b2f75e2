package org.ecstore.bookstore;

import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Order;

/** An order as its customer sees it. */
public record OrderShown(
    Order order, Customer customer, Address billing, Address shipping, CardTransaction card) {}
