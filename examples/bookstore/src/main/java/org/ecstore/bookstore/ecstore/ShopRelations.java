package org.ecstore.bookstore.ecstore;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.model.Item;
import org.ecstore.client.Entry;
import org.ecstore.client.Snapshot;

/** Which books are bought by those who bought another. */
final class ShopRelations {
  private ShopRelations() {}

  /** The five that were bought most; those that are related now where there are fewer. */
  static List<Long> related(Snapshot at, Item item) {
    List<Sale> sales =
        at.scan(ShopTables.LAST).limit(Bookstore.RELATED_ORDERS).stream()
            .map(Entry::value)
            .toList();
    Set<Long> buyers = new HashSet<>();
    sales.stream()
        .filter(sale -> sale.lines().stream().anyMatch(line -> line.item() == item.id()))
        .forEach(sale -> buyers.add(sale.customer()));
    Map<Long, Long> bought = new HashMap<>();
    sales.stream()
        .filter(sale -> buyers.contains(sale.customer()))
        .flatMap(sale -> sale.lines().stream())
        .filter(line -> line.item() != item.id())
        .forEach(line -> bought.merge(line.item(), line.quantity(), Long::sum));
    Stream<Long> most =
        bought.entrySet().stream()
            .sorted(
                Map.Entry.<Long, Long>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey);
    Set<Long> five = new LinkedHashSet<>();
    Stream.concat(most, item.related().stream()).distinct().limit(Item.RELATED).forEach(five::add);
    return List.copyOf(five);
  }
}
