package org.ecstore.txn.limit;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Mutation;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.txn.balance.Amounts;
import org.ecstore.txn.message.TxnMessage.QuotaNews;
import org.ecstore.txn.message.TxnMessage.QuotaOrder;

/**
 * Which applications hold all that they may, as the steward says, and which commits add to them
 * (decision 0080). Costs nothing while no application holds all that it may.
 */
public class QuotaLimits {
  /** What is refused is taken again when a twentieth of a quota is free. */
  private static final long FREE_PART = 20;

  private record Refused(KeyRange keys, QuotaOrder order) {}

  private Map<String, QuotaOrder> orders = new TreeMap<>();
  private final Set<String> refused = new TreeSet<>();

  /** The keys of the tables of those that are refused, by the first of them. */
  private final NavigableMap<Bytes, Refused> keys = new TreeMap<>();

  private long version;

  /** What an application must hold less than for what adds to it to be taken again. */
  public static long freedBelow(long quotaBytes) {
    return quotaBytes - quotaBytes / FREE_PART;
  }

  /**
   * The steward says what is so from now on.
   *
   * @return whether it is news: older ones than the last are passed by
   */
  public boolean take(QuotaNews news) {
    if (news.version() < version) {
      return false;
    }
    version = news.version();
    Map<String, QuotaOrder> next = new TreeMap<>();
    for (QuotaOrder order : news.orders()) {
      next.put(order.application(), order);
      switch (order.stance()) {
        case TAKE -> refused.remove(order.application());
        case REFUSE -> refused.add(order.application());
        case AS_BEFORE -> {}
      }
    }
    orders = next;
    refused.retainAll(orders.keySet());
    keys.clear();
    for (QuotaOrder order : orders.values()) {
      if (refused.contains(order.application())) {
        ApplicationKeys.of(order.tables())
            .forEach(interval -> keys.put(interval.start(), new Refused(interval, order)));
      }
    }
    return true;
  }

  /** Of the last orders; 0 before the first. */
  public long version() {
    return version;
  }

  /** What applications with quotas may hold, by their names. */
  public Collection<QuotaOrder> orders() {
    return orders.values();
  }

  /** Applications of which this node refuses what adds to them. */
  public List<String> refused() {
    return List.copyOf(refused);
  }

  /** Why a commit is refused, with what to do; absent if it may be done. */
  public Optional<String> refusal(ClientRequest.Commit commit) {
    if (keys.isEmpty()) {
      return Optional.empty();
    }
    for (KeyWrite write : commit.writes()) {
      Map.Entry<Bytes, Refused> at = keys.floorEntry(write.key());
      if (at != null && at.getValue().keys().contains(write.key()) && adds(write)) {
        return Optional.of(words(at.getValue().order()));
      }
    }
    return Optional.empty();
  }

  /**
   * Whether a write may add to what there is: not a delete. A node does not look what a key has
   * before, so that a value which is replaced by a shorter one adds as well.
   */
  @RuleSeam(decisions = 80)
  protected boolean adds(KeyWrite write) {
    return !(write.mutation() instanceof Mutation.Delete);
  }

  private static String words(QuotaOrder order) {
    return ("the application \"%s\" holds %s of the %s that it may: delete records, which is always"
            + " taken, or raise its quota by slo set --quota; what adds to it is taken again when"
            + " it holds less than %s")
        .formatted(
            order.application(),
            Amounts.bytes(order.heldBytes()),
            Amounts.bytes(order.quotaBytes()),
            Amounts.bytes(freedBelow(order.quotaBytes())));
  }
}
