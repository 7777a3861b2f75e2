package org.ecstore.bookstore.ecstore;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.ecstore.bookstore.BestSeller;
import org.ecstore.bookstore.BestSellers;
import org.ecstore.bookstore.Book;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.Checkout;
import org.ecstore.bookstore.Checks;
import org.ecstore.bookstore.Home;
import org.ecstore.bookstore.NewCustomer;
import org.ecstore.bookstore.OrderShown;
import org.ecstore.bookstore.Product;
import org.ecstore.bookstore.Purchase;
import org.ecstore.bookstore.SearchBy;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.audit.BookLedger;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.ecstore.client.Codec;
import org.ecstore.client.Counters;
import org.ecstore.client.EcStore;
import org.ecstore.client.Once;
import org.ecstore.client.Sequence;
import org.ecstore.client.Session;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;

/** The shop on ecStore. */
public final class EcStoreBookstore implements Bookstore {
  private static final int DISCOUNT_MAX = 50;
  private static final int SHIPPING_DAYS_MAX = 7;

  private final EcStore store;
  private final Session session;
  private final Size size;
  private final BestSellers bestSellers;
  private final Sequence customers;
  private final Sequence addresses;
  private final Sequence orders;
  private final boolean isOwner;

  private EcStoreBookstore(EcStore store, Session session, Size size, boolean isOwner) {
    this.store = store;
    this.session = session;
    this.size = size;
    this.bestSellers = new BestSellers(() -> session.read(ShopLists::sales), this::books);
    this.customers = store.sequence("bookstore-customers");
    this.addresses = store.sequence("bookstore-addresses");
    this.orders = store.sequence("bookstore-orders");
    this.isOwner = isOwner;
  }

  /**
   * The shop that a store has. Closing it leaves the store open.
   *
   * @throws IllegalStateException if none was filled
   */
  public static EcStoreBookstore open(EcStore store) {
    return open(store, store, false);
  }

  /** As {@link #open}, but the store is closed with the shop, and if there is none. */
  public static EcStoreBookstore owning(EcStore store, Isolation isolation) {
    boolean isOpen = false;
    try {
      EcStoreBookstore shop = open(store, store.with(isolation), true);
      isOpen = true;
      return shop;
    } finally {
      if (!isOpen) {
        store.close();
      }
    }
  }

  private static EcStoreBookstore open(EcStore store, Session session, boolean isOwner) {
    Size size =
        store
            .read(at -> at.get(ShopTables.SHOP, ShopTables.SHOP_KEY))
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "the store has no shop in it: fill it first, as bin/ecstore bookstore"
                            + " does"));
    ShopTables.open(store);
    return new EcStoreBookstore(store, session, size, isOwner);
  }

  private Map<Long, Book> books(Collection<Long> items) {
    return session.read(at -> ShopLists.books(at, items));
  }

  @Override
  public Home home(OptionalLong customer, long near) {
    return session.read(at -> ShopLists.home(at, customer, near));
  }

  @Override
  public List<Book> newProducts(BookSubject subject) {
    return session.read(at -> ShopLists.listed(at, ShopTables.NEWEST, subject));
  }

  @Override
  public List<BestSeller> bestSellers(BookSubject subject) {
    return bestSellers.of(subject);
  }

  @Override
  public Optional<Product> product(long item) {
    return session.read(at -> ShopLists.product(at, item));
  }

  @Override
  public List<Book> search(SearchBy by, String text) {
    return session.read(at -> ShopLists.search(at, by, text));
  }

  @Override
  public List<Book> search(BookSubject subject) {
    return session.read(at -> ShopLists.listed(at, ShopTables.BY_SUBJECT, subject));
  }

  @Override
  public Cart cart(UUID cart) {
    return session.read(at -> ShopCarts.cart(at, cart));
  }

  @Override
  public Cart changeCart(UUID cart, OptionalLong add, Map<Long, Long> quantities) {
    Checks.quantities(quantities);
    Instant now = now();
    return session.transact(tx -> ShopCarts.change(tx, cart, add, quantities, now));
  }

  @Override
  public boolean addToCart(String form, UUID cart, long item) {
    Checks.form(form);
    Instant now = now();
    return session.execute(
        "bookstore-cart-" + cart + form,
        tx -> {
          var _ = ShopCarts.change(tx, cart, OptionalLong.of(item), Map.of(), now);
        });
  }

  @Override
  public Checkout logIn(UUID cart, String userName, String password) {
    Instant now = now();
    return session.transact(
        tx -> ShopCheckouts.of(tx, ShopCustomers.logIn(tx, userName, password, now), cart));
  }

  @Override
  public Checkout register(UUID cart, NewCustomer customer) {
    Checks.customer(customer);
    ShopCustomers.Numbers numbers = newCustomer();
    Instant now = now();
    return session.transact(tx -> ShopCheckouts.register(tx, customer, numbers, cart, now));
  }

  @Override
  public Checkout register(String form, UUID cart, NewCustomer customer) {
    Checks.form(form);
    Checks.customer(customer);
    ShopCustomers.Numbers numbers = newCustomer();
    Instant now = now();
    long made =
        session.transact(
            "bookstore-register-" + cart + form,
            Codec.longs(),
            tx -> ShopCheckouts.register(tx, customer, numbers, cart, now).customer().id());
    return checkout(cart, made);
  }

  private ShopCustomers.Numbers newCustomer() {
    return new ShopCustomers.Numbers(
        size.customers() + customers.next(),
        newAddress(),
        ThreadLocalRandom.current().nextInt(DISCOUNT_MAX + 1));
  }

  @Override
  public Checkout checkout(UUID cart, long customer) {
    return session.read(at -> ShopCheckouts.of(at, customer, cart));
  }

  /** Behind those that the shop was filled with. */
  private long newAddress() {
    return TpcwPopulation.addresses(size.customers()) + addresses.next();
  }

  @Override
  public long buy(Purchase purchase) {
    Checks.purchase(purchase);
    ThreadLocalRandom random = ThreadLocalRandom.current();
    ShopOrders.Drawn drawn =
        new ShopOrders.Drawn(
            size.orders() + orders.next(),
            purchase.shipTo().isPresent() ? newAddress() : 0,
            now(),
            Duration.ofDays(random.nextInt(SHIPPING_DAYS_MAX + 1)),
            "%015d".formatted(random.nextLong(1_000_000_000_000_000L)));
    Once<Long> order =
        session.transactOnce(
            "bookstore-buy-" + purchase.submission(),
            Codec.longs(),
            tx -> ShopOrders.buy(tx, purchase, drawn));
    // Who sends another customer's form again is not told that customer's order.
    if (!order.doneNow()
        && session.read(at -> ShopOrders.customer(at, order.result())) != purchase.customer()) {
      throw new ShopException("this form was another customer's: begin again at the cart");
    }
    return order.result();
  }

  @Override
  public Optional<OrderShown> lastOrder(String userName, String password) {
    return session.read(at -> ShopOrders.last(at, ShopCustomers.known(at, userName, password)));
  }

  @Override
  public Item changeItem(long item, long cents, String thumbnail, String image, LocalDate today) {
    Checks.price(cents);
    Checks.image(thumbnail);
    Checks.image(image);
    // Not in the transaction: each order that comes meanwhile would be in its way.
    List<Long> related = session.read(at -> ShopRelations.related(at, ShopLists.item(at, item)));
    return session.transact(
        tx -> {
          Item changed = ShopLists.item(tx, item).changed(cents, thumbnail, image, today, related);
          tx.put(ShopTables.ITEMS, Tuple.of(item), changed);
          return changed;
        });
  }

  @Override
  public Size size() {
    return size;
  }

  @Override
  public BookLedger ledger() {
    return session.read(at -> ShopLedger.of(at, size));
  }

  @Override
  public Tries tries() {
    Counters counters = store.counters();
    return new Tries(counters.committed(), counters.aborted(), counters.retried());
  }

  @Override
  public void close() {
    if (isOwner) {
      store.close();
    }
  }

  /** Moments are stored to the millisecond. */
  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
