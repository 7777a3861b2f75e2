package org.ecstore.bookstore;

import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Price;

/** What is bought, by whom and for how much, before it is. */
public record Checkout(Customer customer, Address address, Cart cart, Price price) {}
