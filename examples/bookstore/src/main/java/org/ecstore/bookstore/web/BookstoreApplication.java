package org.ecstore.bookstore.web;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The shop over HTTP. {@code bookstore.store} is {@code ecstore}, which {@code ecstore.nodes} says
 * more about, or {@code mariadb}, with {@code bookstore.url}, {@code bookstore.user} and {@code
 * bookstore.password}.
 */
@SpringBootApplication
public class BookstoreApplication {
  /** Starts it; arguments are properties, as in {@code --server.port=8080}. */
  public static void main(String[] arguments) {
    SpringApplication.run(BookstoreApplication.class, arguments);
  }
}
