package org.ecstore.bookstore;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.ecstore.bookstore.audit.BookLedger;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.Item;

/**
 * What the pages of the shop do with its data (TPC-W 1.8, 2.3 to 2.16), each method a transaction
 * that is run again after a conflict. For any number of threads.
 *
 * <p>What a person did wrong is a {@link ShopException}, and nothing was written then. What the
 * store could not do is an exception of its own.
 */
public interface Bookstore extends AutoCloseable {
  /** How many books a list has at most. */
  int LIST_MAX = 50;

  /** Best sellers are those of so many orders, the last ones. */
  int BEST_SELLER_ORDERS = 3_333;

  /** Related are books that were bought with another within so many orders, the last ones. */
  int RELATED_ORDERS = 10_000;

  /**
   * The first page.
   *
   * @param customer who looks at it, if that is known
   * @param near a book: those that are related to it are shown
   * @throws ShopException if there is no such book
   */
  Home home(OptionalLong customer, long near);

  /** The books of a subject, newest first, of equal days by title. */
  List<Book> newProducts(BookSubject subject);

  /** The books of a subject that sold best in the last {@link #BEST_SELLER_ORDERS} orders. */
  List<BestSeller> bestSellers(BookSubject subject);

  /** A book, whole. */
  Optional<Product> product(long item);

  /**
   * Books with a word that begins as a text does: the first in the order of those words and their
   * titles, and then by title. Case does not matter; of several words the longest is looked for,
   * and the others must be there too among the first thousand found.
   *
   * @param by what to look at, a title or its author
   */
  List<Book> search(SearchBy by, String text);

  /** The books of a subject by title. */
  List<Book> search(BookSubject subject);

  /** What is in a cart; nothing if there is no such cart. */
  Cart cart(UUID cart);

  /**
   * Changes a cart, and has it say today's prices.
   *
   * @param add a book of which one more is put into it, after {@code quantities} are set
   * @param quantities of some of its books; 0 takes one out, and books that are not in it stay out
   * @throws ShopException if there is no such book, or the cart would have too much of it
   */
  Cart changeCart(UUID cart, OptionalLong add, Map<Long, Long> quantities);

  /**
   * Puts one of a book into a cart, as {@link #changeCart} does. A form that is sent again puts
   * nothing more.
   *
   * @param form its number, which each form has its own
   * @return whether it was put now; false if the form had been sent before
   * @throws ShopException as {@link #changeCart}
   */
  boolean addToCart(String form, UUID cart, long item);

  /**
   * Logs a customer in, to buy what is in a cart.
   *
   * @throws ShopException if there is no such customer, or it is another password
   */
  Checkout logIn(UUID cart, String userName, String password);

  /**
   * Makes a customer, who is logged in, to buy what is in a cart. The address is another customer's
   * if it is the same.
   */
  Checkout register(UUID cart, NewCustomer customer);

  /**
   * As {@link #register(UUID, NewCustomer)}. A form that is sent again, with the same cart, makes
   * no one more: it logs in the customer that it made the first time.
   *
   * @param form its number, which each form has its own
   */
  Checkout register(String form, UUID cart, NewCustomer customer);

  /**
   * What a customer who is logged in would buy.
   *
   * @throws ShopException if there is no such customer
   */
  Checkout checkout(UUID cart, long customer);

  /**
   * Buys what is in a cart, which is empty then. Stock is taken, and what comes in is written, in
   * the same transaction. A form that is sent again buys nothing more and is told the same order.
   *
   * @return the order's number
   * @throws ShopException if the cart is empty or costs something else than the customer was told,
   *     or there is no such customer
   */
  long buy(Purchase purchase);

  /**
   * A customer's last order.
   *
   * @return absent if there is none
   * @throws ShopException if there is no such customer, or it is another password
   */
  Optional<OrderShown> lastOrder(String userName, String password);

  /**
   * Changes a book; related to it are from then on the five that were bought most by those who
   * bought it, within the last {@link #RELATED_ORDERS} orders.
   *
   * @param cents its price
   * @param today the day it counts as published from
   * @throws ShopException if there is no such book
   */
  Item changeItem(long item, long cents, String thumbnail, String image, LocalDate today);

  /** How the shop was filled. */
  Size size();

  /** All of it at one moment, to see whether it is right. */
  BookLedger ledger();

  /** What transactions came to so far. */
  Tries tries();

  @Override
  void close();

  /**
   * How a shop was filled.
   *
   * @param items how many books it has, from number 1 on
   * @param customers how many it had then, from number 1 on
   * @param orders how many it had then, from number 1 on
   */
  record Size(long items, long customers, long orders) {}

  /**
   * What transactions came to.
   *
   * @param committed of those that wrote at least
   * @param conflicts how often one came to nothing, as another one was in the way
   * @param retries how often one was run again
   */
  record Tries(long committed, long conflicts, long retries) {}
}
