package org.ecstore.bookstore.ecstore;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.ecstore.bookstore.BestSellers;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.audit.BookLedger;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.CartLine;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.model.Stock;
import org.ecstore.client.Entry;
import org.ecstore.client.Snapshot;
import org.ecstore.client.TupleRange;
import org.ecstore.key.Tuple;

/** All that the shop keeps, for a check. */
final class ShopLedger {
  private ShopLedger() {}

  static BookLedger of(Snapshot at, Bookstore.Size size) {
    TupleRange placed = TupleRange.from(Tuple.of(size.orders() + 1));
    Map<Long, Stock> stock = new HashMap<>();
    at.scan(ShopTables.STOCK).forEach(entry -> stock.put(entry.key().number(0), entry.value()));
    List<Order> orders = at.scan(ShopTables.ORDERS, placed).stream().map(Entry::value).toList();
    Map<Long, CardTransaction> cards = new HashMap<>();
    at.scan(ShopTables.CARDS, placed)
        .forEach(entry -> cards.put(entry.key().number(0), entry.value()));
    Map<UUID, List<CartLine>> carts = new HashMap<>();
    at.scan(ShopTables.CARTS)
        .forEach(entry -> carts.put(entry.key().uuid(0), entry.value().lines()));
    Map<Long, Long> sold = new HashMap<>();
    for (BestSellers.Sale sale : ShopLists.sales(at)) {
      sold.put(sale.item(), sale.sold());
    }
    List<Order> last =
        at.scan(ShopTables.LAST.index()).limit(Bookstore.BEST_SELLER_ORDERS).stream()
            .map(Entry::value)
            .toList();
    return new BookLedger(stock, orders, cards, carts, sold, last);
  }
}
