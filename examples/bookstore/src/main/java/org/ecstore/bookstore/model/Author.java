package org.ecstore.bookstore.model;

import java.time.LocalDate;

/**
 * Who has written books.
 *
 * @param id from 1
 */
public record Author(
    long id,
    String firstName,
    String middleName,
    String lastName,
    LocalDate born,
    String biography) {}
