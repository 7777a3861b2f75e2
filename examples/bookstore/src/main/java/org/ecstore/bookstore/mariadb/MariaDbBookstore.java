package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
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
import org.ecstore.bookstore.audit.BookLedger;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.model.Price;

/**
 * The shop on MariaDB. What only reads is one SELECT, or a snapshot of some; what writes is a
 * transaction of the isolation that the settings say.
 */
public final class MariaDbBookstore implements Bookstore {
  private static final int DISCOUNT_MAX = 50;

  private final SqlPools pools;
  private final SqlTransactions transactions;
  private final Size size;
  private final BestSellers bestSellers;

  private MariaDbBookstore(SqlPools pools, SqlTransactions transactions, Size size) {
    this.pools = pools;
    this.transactions = transactions;
    this.size = size;
    this.bestSellers = new BestSellers(() -> transactions.read(SqlCatalog::sales), this::books);
  }

  /**
   * The shop that a database has.
   *
   * @throws IllegalStateException if it was not filled
   * @throws MariaDbException if it cannot be reached
   */
  public static MariaDbBookstore open(MariaDbSettings settings) {
    SqlPools pools = SqlPools.open(settings);
    boolean isOpen = false;
    try {
      SqlTransactions transactions = new SqlTransactions(pools);
      if (!transactions.<Boolean>read(SqlTables::isMade)) {
        throw new IllegalStateException("there is no shop in this database: fill it first");
      }
      Size size = transactions.read(SqlLedger::size);
      MariaDbBookstore shop = new MariaDbBookstore(pools, new SqlTransactions(pools), size);
      isOpen = true;
      return shop;
    } finally {
      if (!isOpen) {
        pools.close();
      }
    }
  }

  private Map<Long, Book> books(Collection<Long> items) {
    return transactions.read(connection -> SqlCatalog.books(connection, items));
  }

  @Override
  public Home home(OptionalLong customer, long near) {
    return transactions.read(connection -> SqlCatalog.home(connection, customer, near));
  }

  @Override
  public List<Book> newProducts(BookSubject subject) {
    return transactions.read(connection -> SqlCatalog.newest(connection, subject));
  }

  @Override
  public List<BestSeller> bestSellers(BookSubject subject) {
    return bestSellers.of(subject);
  }

  @Override
  public Optional<Product> product(long item) {
    return transactions.read(connection -> SqlCatalog.product(connection, item));
  }

  @Override
  public List<Book> search(SearchBy by, String text) {
    return transactions.read(connection -> SqlCatalog.search(connection, by, text));
  }

  @Override
  public List<Book> search(BookSubject subject) {
    return transactions.read(connection -> SqlCatalog.byTitle(connection, subject));
  }

  @Override
  public Cart cart(UUID cart) {
    return transactions.read(connection -> SqlCarts.cart(connection, cart));
  }

  @Override
  public Cart changeCart(UUID cart, OptionalLong add, Map<Long, Long> quantities) {
    Checks.quantities(quantities);
    Instant now = now();
    return transactions.write(
        (connection, again) -> SqlCarts.change(connection, cart, add, quantities, now));
  }

  @Override
  public boolean addToCart(String form, UUID cart, long item) {
    Checks.form(form);
    Instant now = now();
    return transactions.<Boolean>writeOnce(
        (connection, again) -> {
          boolean isNew = SqlForms.isNew(connection, form, cart, SqlForms.Kind.CART);
          if (isNew) {
            SqlCarts.change(connection, cart, OptionalLong.of(item), Map.of(), now);
          }
          return isNew;
        });
  }

  @Override
  public Checkout logIn(UUID cart, String userName, String password) {
    Instant now = now();
    return transactions.write(
        (connection, again) -> {
          SqlCustomers.Known known = SqlCustomers.logIn(connection, userName, password, now);
          return checkout(known.customer(), known.address(), SqlCarts.cart(connection, cart));
        });
  }

  @Override
  public Checkout register(UUID cart, NewCustomer customer) {
    Checks.customer(customer);
    OptionalLong known = known(customer.address());
    int discountPercent = ThreadLocalRandom.current().nextInt(DISCOUNT_MAX + 1);
    Instant now = now();
    return transactions.write(
        (connection, again) -> register(connection, cart, customer, known, discountPercent, now));
  }

  private static Checkout register(
      Connection connection,
      UUID cart,
      NewCustomer customer,
      OptionalLong known,
      int discountPercent,
      Instant now)
      throws SQLException {
    long address =
        known.isPresent() ? known.getAsLong() : SqlCustomers.made(connection, customer.address());
    Customer made = SqlCustomers.register(connection, customer, address, discountPercent, now);
    return checkout(made, customer.address(), SqlCarts.cart(connection, cart));
  }

  @Override
  public Checkout register(String form, UUID cart, NewCustomer customer) {
    Checks.form(form);
    Checks.customer(customer);
    OptionalLong known = known(customer.address());
    int discountPercent = ThreadLocalRandom.current().nextInt(DISCOUNT_MAX + 1);
    Instant now = now();
    Optional<Checkout> made =
        transactions.writeOnce(
            (connection, again) -> {
              if (!SqlForms.isNew(connection, form, cart, SqlForms.Kind.REGISTER)) {
                return Optional.empty();
              }
              Checkout checkout = register(connection, cart, customer, known, discountPercent, now);
              SqlForms.made(connection, form, cart, checkout.customer().id());
              return Optional.of(checkout);
            });
    return made.orElseGet(
        () ->
            checkout(
                cart, transactions.read(connection -> SqlForms.customer(connection, form, cart))));
  }

  /** Addresses stay as they are: one that is there needs no lock. */
  private OptionalLong known(Address address) {
    return transactions.read(connection -> SqlCustomers.address(connection, address));
  }

  private static Checkout checkout(Customer customer, Address address, Cart cart) {
    return new Checkout(
        customer, address, cart, Price.of(cart.cents(), cart.books(), customer.discountPercent()));
  }

  @Override
  public Checkout checkout(UUID cart, long customer) {
    SqlCustomers.Buyer buyer =
        transactions.read(connection -> SqlCustomers.buyer(connection, cart, customer));
    return checkout(buyer.known().customer(), buyer.known().address(), buyer.cart());
  }

  @Override
  public long buy(Purchase purchase) {
    Checks.purchase(purchase);
    OptionalLong shipTo = purchase.shipTo().map(this::known).orElseGet(OptionalLong::empty);
    Instant now = now();
    return transactions.<Long>writeOnce(
        (connection, again) -> SqlPurchases.buy(connection, purchase, shipTo, now, again));
  }

  @Override
  public Optional<OrderShown> lastOrder(String userName, String password) {
    return transactions.read(connection -> SqlOrders.last(connection, userName, password));
  }

  @Override
  public Item changeItem(long item, long cents, String thumbnail, String image, LocalDate today) {
    Checks.price(cents);
    Checks.image(thumbnail);
    Checks.image(image);
    // Not in the transaction, which would lock all orders that it looks at.
    List<Long> bought = transactions.read(connection -> SqlItemChange.related(connection, item));
    return transactions.write(
        (connection, again) ->
            SqlItemChange.change(connection, item, cents, thumbnail, image, today, bought));
  }

  @Override
  public Size size() {
    return size;
  }

  @Override
  public BookLedger ledger() {
    return transactions.snapshot(connection -> SqlLedger.ledger(connection, size));
  }

  @Override
  public Tries tries() {
    return transactions.tries();
  }

  @Override
  public void close() {
    pools.close();
  }

  /** Moments are stored to the millisecond. */
  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
