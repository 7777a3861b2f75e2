package org.ecstore.bookstore;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Supplier;
import org.ecstore.bookstore.audit.BookLedger;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.Item;
import org.jspecify.annotations.Nullable;

/**
 * A shop that is opened when it is first asked for something, so that an application starts while
 * its store is away. Those who ask meanwhile wait for the one that opens it, and get its failure if
 * it fails; who asks after that tries again. What is being opened while it is closed is closed when
 * it is open. For any number of threads.
 */
public final class LateBookstore implements Bookstore {
  private final Supplier<Bookstore> open;
  private final SharedWork<Bookstore> opening = new SharedWork<>(this::open);

  /** Written under the lock of this, and no more once it is closed. */
  private volatile @Nullable Bookstore opened;

  private boolean closed;

  /**
   * Of a shop.
   *
   * @param open opens it, and may fail
   */
  public LateBookstore(Supplier<Bookstore> open) {
    this.open = open;
  }

  private Bookstore opened() {
    Bookstore now = opened;
    return now == null ? opening.get() : now;
  }

  /** Unless another thread has just opened it. */
  private Bookstore open() {
    Bookstore now = opened;
    if (now != null) {
      return now;
    }
    checkNotClosed();
    Bookstore shop = open.get();
    if (!keep(shop)) {
      shop.close();
      checkNotClosed();
    }
    return shop;
  }

  private synchronized void checkNotClosed() {
    if (closed) {
      throw new IllegalStateException("the shop is closed");
    }
  }

  /** Unless it was closed meanwhile, and did not see this one. */
  private synchronized boolean keep(Bookstore shop) {
    if (!closed) {
      opened = shop;
    }
    return !closed;
  }

  @Override
  public Home home(OptionalLong customer, long near) {
    return opened().home(customer, near);
  }

  @Override
  public List<Book> newProducts(BookSubject subject) {
    return opened().newProducts(subject);
  }

  @Override
  public List<BestSeller> bestSellers(BookSubject subject) {
    return opened().bestSellers(subject);
  }

  @Override
  public Optional<Product> product(long item) {
    return opened().product(item);
  }

  @Override
  public List<Book> search(SearchBy by, String text) {
    return opened().search(by, text);
  }

  @Override
  public List<Book> search(BookSubject subject) {
    return opened().search(subject);
  }

  @Override
  public Cart cart(UUID cart) {
    return opened().cart(cart);
  }

  @Override
  public Cart changeCart(UUID cart, OptionalLong add, Map<Long, Long> quantities) {
    return opened().changeCart(cart, add, quantities);
  }

  @Override
  public boolean addToCart(String form, UUID cart, long item) {
    return opened().addToCart(form, cart, item);
  }

  @Override
  public Checkout logIn(UUID cart, String userName, String password) {
    return opened().logIn(cart, userName, password);
  }

  @Override
  public Checkout register(UUID cart, NewCustomer customer) {
    return opened().register(cart, customer);
  }

  @Override
  public Checkout register(String form, UUID cart, NewCustomer customer) {
    return opened().register(form, cart, customer);
  }

  @Override
  public Checkout checkout(UUID cart, long customer) {
    return opened().checkout(cart, customer);
  }

  @Override
  public long buy(Purchase purchase) {
    return opened().buy(purchase);
  }

  @Override
  public Optional<OrderShown> lastOrder(String userName, String password) {
    return opened().lastOrder(userName, password);
  }

  @Override
  public Item changeItem(long item, long cents, String thumbnail, String image, LocalDate today) {
    return opened().changeItem(item, cents, thumbnail, image, today);
  }

  @Override
  public Size size() {
    return opened().size();
  }

  @Override
  public BookLedger ledger() {
    return opened().ledger();
  }

  /** None as long as it is not open: who only looks at its meters opens nothing. */
  @Override
  public Tries tries() {
    Bookstore now = opened;
    return now == null ? new Tries(0, 0, 0) : now.tries();
  }

  /** Waits for no thread that opens it: that one closes what it has opened, and fails. */
  @Override
  public void close() {
    Bookstore now;
    synchronized (this) {
      now = closed ? null : opened;
      closed = true;
    }
    if (now != null) {
      now.close();
    }
  }
}
