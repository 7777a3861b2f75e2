package org.ecstore.bookstore.ecstore;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.CartLine;
import org.ecstore.bookstore.model.Item;
import org.ecstore.client.Read;
import org.ecstore.client.Reads;
import org.ecstore.client.Snapshot;
import org.ecstore.client.Transaction;
import org.ecstore.key.Tuple;
import org.jspecify.annotations.Nullable;

/** What is put into carts. */
final class ShopCarts {
  private ShopCarts() {}

  static Cart cart(Snapshot at, UUID cart) {
    return at.get(ShopTables.CARTS, Tuple.of(cart)).orElseGet(ShopCarts::empty);
  }

  static Cart empty() {
    return new Cart(Instant.EPOCH, List.of());
  }

  /** In a transaction: the cart as it is from then on. */
  static Cart change(
      Transaction tx, UUID id, OptionalLong add, Map<Long, Long> quantities, Instant now) {
    Cart before = before(tx, id, add);
    List<CartLine> lines = new ArrayList<>();
    boolean isThere = false;
    for (CartLine line : before.lines()) {
      boolean more = add.isPresent() && add.getAsLong() == line.item();
      isThere |= more;
      long quantity = quantities.getOrDefault(line.item(), line.quantity()) + (more ? 1 : 0);
      if (quantity > 0) {
        lines.add(with(line, quantity));
      }
    }
    if (add.isPresent() && !isThere) {
      lines.add(new CartLine(add.getAsLong(), "", "", 1, 0, 0));
    }
    check(lines);
    Cart after = new Cart(now, priced(tx, lines));
    if (!after.lines().isEmpty()) {
      tx.put(ShopTables.CARTS, Tuple.of(id), after);
    } else if (!before.lines().isEmpty()) {
      tx.delete(ShopTables.CARTS, Tuple.of(id));
    }
    return after;
  }

  /** With the book that is added, which the transaction knows from then on. */
  private static Cart before(Transaction tx, UUID id, OptionalLong add) {
    Reads reads = tx.reads();
    Read<Optional<Cart>> cart = reads.get(ShopTables.CARTS, Tuple.of(id));
    if (add.isPresent()) {
      var _ = reads.get(ShopTables.ITEMS, Tuple.of(add.getAsLong()));
    }
    reads.run();
    return cart.get().orElseGet(ShopCarts::empty);
  }

  private static CartLine with(CartLine line, long quantity) {
    return new CartLine(
        line.item(), line.title(), line.backing(), quantity, line.cents(), line.listCents());
  }

  private static void check(List<CartLine> lines) {
    if (lines.size() > Cart.LINES_MAX) {
      throw new ShopException("a cart has room for " + Cart.LINES_MAX + " different books");
    }
    if (lines.stream().anyMatch(line -> line.quantity() > Cart.QUANTITY_MAX)) {
      throw new ShopException("a cart has room for " + Cart.QUANTITY_MAX + " of one book");
    }
  }

  private static List<CartLine> priced(Transaction tx, List<CartLine> lines) {
    Map<Tuple, Item> items =
        tx.getAll(ShopTables.ITEMS, lines.stream().map(line -> Tuple.of(line.item())).toList());
    return lines.stream().map(line -> priced(line, items.get(Tuple.of(line.item())))).toList();
  }

  private static CartLine priced(CartLine line, @Nullable Item item) {
    if (item == null) {
      throw new ShopException("there is no book " + line.item());
    }
    return new CartLine(
        item.id(), item.title(), item.backing(), line.quantity(), item.cents(), item.listCents());
  }
}
