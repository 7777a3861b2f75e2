package org.ecstore.bookstore.audit;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.CartLine;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.model.Stock;

/**
 * What the shop keeps, at one moment.
 *
 * @param stock of each book by its number
 * @param orders that were placed since the shop was filled
 * @param cards what was taken for them, by the order's number
 * @param carts all lines of each, as they are stored
 * @param sold how often each book was sold in the last {@link
 *     org.ecstore.bookstore.Bookstore#BEST_SELLER_ORDERS} orders, as best sellers are found
 * @param lastOrders those orders, whole
 */
public record BookLedger(
    Map<Long, Stock> stock,
    List<Order> orders,
    Map<Long, CardTransaction> cards,
    Map<UUID, List<CartLine>> carts,
    Map<Long, Long> sold,
    List<Order> lastOrders) {}
