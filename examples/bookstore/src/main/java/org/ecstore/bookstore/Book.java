package org.ecstore.bookstore;

/**
 * A book in a list.
 *
 * @param author both names
 * @param cents what it costs
 */
public record Book(long item, String title, String author, String thumbnail, long cents) {}
