package org.ecstore.bookstore.ecstore;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import org.ecstore.bookstore.Checks;
import org.ecstore.bookstore.NewCustomer;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.population.TpcwNames;
import org.ecstore.client.Entry;
import org.ecstore.client.Snapshot;
import org.ecstore.client.Transaction;
import org.ecstore.client.TupleRange;
import org.ecstore.key.Tuple;

/** Who buys. */
final class ShopCustomers {
  private static final Duration LOGIN = Duration.ofHours(2);

  private ShopCustomers() {}

  /** The customer of a name, if the password is theirs. */
  static Customer known(Snapshot at, String userName, String password) {
    Checks.userName(userName);
    return at.find(ShopTables.USER_NAMES, Tuple.of(userName))
        .map(Entry::value)
        .filter(customer -> customer.password().equals(password))
        .orElseThrow(
            () -> new ShopException("there is no customer of that user name and password"));
  }

  static Customer logIn(Transaction tx, String userName, String password, Instant now) {
    Customer customer = known(tx, userName, password).loggedIn(now, now.plus(LOGIN));
    tx.put(ShopTables.CUSTOMERS, Tuple.of(customer.id()), customer);
    return customer;
  }

  /**
   * Numbers for what is new, which no other has: drawn before the transaction, so that one that is
   * run again writes the same.
   */
  record Numbers(long customer, long address, int discountPercent) {}

  static Customer register(Transaction tx, NewCustomer wanted, Numbers numbers, Instant now) {
    long address = addressOf(tx, wanted.address(), numbers.address());
    String userName = TpcwNames.digSyl(numbers.customer());
    Customer customer =
        new Customer(
            numbers.customer(),
            userName,
            userName.toLowerCase(Locale.ROOT),
            wanted.firstName(),
            wanted.lastName(),
            address,
            wanted.phone(),
            wanted.email(),
            LocalDate.ofInstant(now, ZoneOffset.UTC),
            now,
            now,
            now.plus(LOGIN),
            numbers.discountPercent(),
            0,
            0,
            wanted.born(),
            wanted.data());
    tx.put(ShopTables.CUSTOMERS, Tuple.of(customer.id()), customer);
    return customer;
  }

  /** The number of an address: of one that is there, or a new one's. */
  static long addressOf(Transaction tx, Address address, long ifNew) {
    Optional<Tuple> same =
        tx.scan(ShopTables.PLACES, TupleRange.only(ShopTables.place(address)))
            .limit(1)
            .keys()
            .findFirst();
    if (same.isPresent()) {
      return same.get().number(0);
    }
    tx.put(ShopTables.ADDRESSES, Tuple.of(ifNew), address);
    return ifNew;
  }
}
