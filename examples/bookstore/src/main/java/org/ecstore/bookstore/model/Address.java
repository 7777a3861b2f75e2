package org.ecstore.bookstore.model;

/**
 * Where a person lives.
 *
 * @param country its number in {@link Countries}
 */
public record Address(
    String street1, String street2, String city, String state, String zip, int country) {}
