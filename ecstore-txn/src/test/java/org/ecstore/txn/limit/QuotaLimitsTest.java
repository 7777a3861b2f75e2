package org.ecstore.txn.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Mutation;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.txn.message.TxnMessage.QuotaNews;
import org.ecstore.txn.message.TxnMessage.QuotaOrder;
import org.ecstore.txn.message.TxnMessage.QuotaStance;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;

class QuotaLimitsTest {
  private final QuotaLimits limits = new QuotaLimits();

  private static QuotaOrder order(String application, QuotaStance stance, String... tables) {
    return new QuotaOrder(application, List.of(tables), 200 << 20, 300 << 20, stance);
  }

  private void news(long version, QuotaOrder... orders) {
    assertTrue(limits.take(new QuotaNews(version, List.of(orders))));
  }

  private static Bytes key(String table) {
    return Tuple.of(table, "k").encode();
  }

  private static KeyWrite put(Bytes key) {
    return new KeyWrite(key, Optional.of(Bytes.utf8("v")));
  }

  private static KeyWrite delete(Bytes key) {
    return new KeyWrite(key, Optional.empty());
  }

  private static ClientRequest.Commit commit(KeyWrite... writes) {
    return new ClientRequest.Commit(
        new TxnId(1, 1),
        ReadPoint.ZERO,
        Isolation.SERIALIZABLE,
        List.of(key("users")),
        List.of(),
        Arrays.asList(writes),
        1_000);
  }

  private boolean isRefused(KeyWrite... writes) {
    return limits.refusal(commit(writes)).isPresent();
  }

  @Test
  void whatAddsIsRefusedAndWhatDeletesIsNot() {
    news(1, order("shop", QuotaStance.REFUSE, "users", "orders"));
    assertTrue(isRefused(put(key("users"))));
    assertTrue(isRefused(put(key("logs")), put(key("orders"))));
    assertTrue(isRefused(delete(key("orders")), put(key("users"))));
    assertTrue(
        isRefused(
            new KeyWrite(
                key("users"),
                new Mutation.Operation(AtomicOp.ADD, new WireWriter().i64(1).toBytes()))));
    assertFalse(isRefused(delete(key("users")), delete(key("orders"))));
    assertFalse(isRefused(delete(key("users")), put(key("logs"))));
    assertFalse(isRefused());
  }

  @Test
  void entriesOfItsIndexesAreOfATable() {
    news(1, order("shop", QuotaStance.REFUSE, "users"));
    assertTrue(isRefused(put(Tuple.of("ecstore", "index", "users", "by-city", "Oslo").encode())));
    assertFalse(isRefused(put(Tuple.of("ecstore", "index", "orders", "by-city").encode())));
    assertFalse(isRefused(put(Tuple.of("ecstore", "catalog", "users").encode())));
  }

  @Test
  void tablesOfOthersAreNeverRefused() {
    news(
        1,
        order("shop", QuotaStance.REFUSE, "users"),
        order("mail", QuotaStance.TAKE, "letters"),
        order("news", QuotaStance.AS_BEFORE, "texts"));
    for (String other : List.of("letters", "texts", "user", "users2", "usersx", "", "zz")) {
      assertFalse(isRefused(put(key(other))), other);
    }
    assertFalse(isRefused(put(Bytes.EMPTY), put(Bytes.of(0xff, 0xff))));
    assertEquals(List.of("shop"), limits.refused());
  }

  /** One that has just come to lead does not know yet. */
  @Test
  void whatIsNotDecidedStaysAsItWas() {
    news(1, order("shop", QuotaStance.AS_BEFORE, "users"));
    assertFalse(isRefused(put(key("users"))));
    news(1, order("shop", QuotaStance.REFUSE, "users"));
    news(2, order("shop", QuotaStance.AS_BEFORE, "users", "orders"));
    assertTrue(isRefused(put(key("users"))));
    assertTrue(isRefused(put(key("orders"))));
    news(2, order("shop", QuotaStance.TAKE, "users", "orders"));
    news(2, order("shop", QuotaStance.AS_BEFORE, "users", "orders"));
    assertFalse(isRefused(put(key("users"))));
  }

  @Test
  void aQuotaThatIsRemovedRefusesNothingAndLeavesNothing() {
    news(1, order("shop", QuotaStance.REFUSE, "users"));
    news(2);
    assertFalse(isRefused(put(key("users"))));
    news(3, order("shop", QuotaStance.AS_BEFORE, "users"));
    assertFalse(isRefused(put(key("users"))));
  }

  @Test
  void newsThatComesLateIsPassedBy() {
    news(7, order("shop", QuotaStance.REFUSE, "users"));
    assertFalse(limits.take(new QuotaNews(6, List.of())));
    assertTrue(isRefused(put(key("users"))));
    assertEquals(7, limits.version());
  }

  @Test
  void aRefusalSaysHowMuchThereIsHowMuchMayBeAndWhatToDo() {
    news(1, order("shop", QuotaStance.REFUSE, "users"));
    String why = limits.refusal(commit(put(key("users")))).orElseThrow();
    for (String part :
        List.of(
            "\"shop\" holds 300 MiB of the 200 MiB", "delete records", "--quota", "than 190 MiB")) {
      assertTrue(why.contains(part), part + " in " + why);
    }
  }

  @Test
  void aTwentiethHasToBeFree() {
    assertEquals(95, QuotaLimits.freedBelow(100));
    assertEquals(1, QuotaLimits.freedBelow(1));
    assertEquals(1_069_604_911_500_493L, QuotaLimits.freedBelow(1L << 50));
  }
}
