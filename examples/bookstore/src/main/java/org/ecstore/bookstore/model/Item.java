package org.ecstore.bookstore.model;

import java.time.LocalDate;
import java.util.List;

/**
 * A book. How many there are of it is a {@link Stock}.
 *
 * @param id from 1
 * @param authorId of an {@link Author}, whose names are here too, for lists of books
 * @param published until an administrator changes the book: then that day
 * @param related five other books that people may like who look at this one
 * @param thumbnail the name of its small picture
 * @param image the name of its large picture
 * @param listCents what its publisher wants for it
 * @param cents what it costs here
 * @param available from when on it can be sent
 * @param dimensions in centimetres
 */
public record Item(
    long id,
    String title,
    long authorId,
    String authorFirstName,
    String authorLastName,
    LocalDate published,
    String publisher,
    BookSubject subject,
    String description,
    List<Long> related,
    String thumbnail,
    String image,
    long listCents,
    long cents,
    LocalDate available,
    String isbn,
    int pages,
    String backing,
    String dimensions) {
  /** How many books are related to each. */
  public static final int RELATED = 5;

  /** The same with what an administrator may change. */
  public Item changed(
      long cents, String thumbnail, String image, LocalDate day, List<Long> related) {
    return new Item(
        id,
        title,
        authorId,
        authorFirstName,
        authorLastName,
        day,
        publisher,
        subject,
        description,
        List.copyOf(related),
        thumbnail,
        image,
        listCents,
        cents,
        available,
        isbn,
        pages,
        backing,
        dimensions);
  }
}
