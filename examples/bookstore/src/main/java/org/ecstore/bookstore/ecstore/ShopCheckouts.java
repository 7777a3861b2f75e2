package org.ecstore.bookstore.ecstore;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.bookstore.Checkout;
import org.ecstore.bookstore.NewCustomer;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Price;
import org.ecstore.client.Read;
import org.ecstore.client.Reads;
import org.ecstore.client.Snapshot;
import org.ecstore.client.Transaction;
import org.ecstore.key.Tuple;

/** What is bought, by whom and for how much, before it is. */
final class ShopCheckouts {
  private ShopCheckouts() {}

  /** Of a customer who is logged in. */
  static Checkout of(Snapshot at, long id, UUID cartId) {
    Reads reads = at.reads();
    Read<Optional<Customer>> customer = reads.get(ShopTables.CUSTOMERS, Tuple.of(id));
    Read<Optional<Cart>> cart = reads.get(ShopTables.CARTS, Tuple.of(cartId));
    reads.run();
    Customer known =
        customer.get().orElseThrow(() -> new ShopException("there is no customer " + id));
    Address address = at.get(ShopTables.ADDRESSES, Tuple.of(known.addressId())).orElseThrow();
    return checkout(known, address, cart.get().orElseGet(ShopCarts::empty));
  }

  /** Of a customer who logs in. */
  static Checkout of(Snapshot at, Customer customer, UUID cartId) {
    Reads reads = at.reads();
    Read<Optional<Address>> address =
        reads.get(ShopTables.ADDRESSES, Tuple.of(customer.addressId()));
    Read<Optional<Cart>> cart = reads.get(ShopTables.CARTS, Tuple.of(cartId));
    reads.run();
    return checkout(customer, address.get().orElseThrow(), cart.get().orElseGet(ShopCarts::empty));
  }

  /** Of a new customer. */
  static Checkout register(
      Transaction tx, NewCustomer wanted, ShopCustomers.Numbers numbers, UUID cartId, Instant now) {
    Reads reads = tx.reads();
    Read<Optional<Cart>> cart = reads.get(ShopTables.CARTS, Tuple.of(cartId));
    // That they are not there is asked for what their indexes had of them.
    var noCustomer = reads.get(ShopTables.CUSTOMERS, Tuple.of(numbers.customer()));
    var noAddress = reads.get(ShopTables.ADDRESSES, Tuple.of(numbers.address()));
    reads.run();
    if (noCustomer.get().isPresent() || noAddress.get().isPresent()) {
      throw new IllegalStateException("numbers were given twice: " + numbers);
    }
    Customer customer = ShopCustomers.register(tx, wanted, numbers, now);
    return checkout(customer, wanted.address(), cart.get().orElseGet(ShopCarts::empty));
  }

  private static Checkout checkout(Customer customer, Address address, Cart cart) {
    return new Checkout(
        customer, address, cart, Price.of(cart.cents(), cart.books(), customer.discountPercent()));
  }
}
