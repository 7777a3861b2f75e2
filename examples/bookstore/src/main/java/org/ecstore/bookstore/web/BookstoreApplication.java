package org.ecstore.bookstore.web;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The shop over HTTP, on ecStore, whose addresses are {@code ecstore.nodes}. With {@code
 * bookstore.store} as {@code mariadb}, and the profile of that name, it is on MariaDB at {@code
 * bookstore.url}, with {@code bookstore.user} and {@code bookstore.password}.
 */
@SpringBootApplication
public class BookstoreApplication {
  /** Starts it; arguments are properties, as in {@code --server.port=8080}. */
  public static void main(String[] arguments) {
    SpringApplication.run(BookstoreApplication.class, arguments);
  }
}
