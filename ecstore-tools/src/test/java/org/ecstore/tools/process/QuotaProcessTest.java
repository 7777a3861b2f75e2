package org.ecstore.tools.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Index;
import org.ecstore.client.Table;
import org.ecstore.client.error.QuotaExceededException;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.core.testing.Await;
import org.ecstore.key.Tuple;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientReply.QuotaLine;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process of a node, its client and its commands: an application that grows over its quota. */
@Tag("slow")
@Timeout(300)
class QuotaProcessTest {
  record Order(String customer, String text) {}

  private static final int QUOTA = 400_000;
  private static final int TEXT = 5_000;
  private static final int CUSTOMER = 1_500;
  private static final Table<Order> ORDERS = Table.of("orders", Codec.record(Order.class));
  private static final Index<Order> BY_CUSTOMER = ORDERS.index("by-customer", Order::customer);
  private static final Table<String> LOGS = Table.of("logs", Codec.utf8());

  @TempDir private Path temp;

  private String run(String... args) {
    StringWriter said = new StringWriter();
    PrintWriter to = new PrintWriter(said, true);
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--dir", temp.resolve("cluster").toString()));
    int status =
        EcStoreMain.commandLine().setOut(to).setErr(to).execute(all.toArray(String[]::new));
    assertEquals(ExitStatus.OK, status, said::toString);
    return said.toString();
  }

  @AfterEach
  void endAll() {
    run("cluster", "down");
  }

  private static void order(EcStore store, long number) {
    String customer = "c".repeat(CUSTOMER) + number;
    store.execute(tx -> tx.put(ORDERS, Tuple.of(number), new Order(customer, "t".repeat(TEXT))));
  }

  private static QuotaLine quota(ProcessCluster cluster) throws IOException {
    return cluster
        .askSteward(new ClientRequest.AskObjectives(), Objectives.class)
        .quota("shop")
        .orElseThrow();
  }

  private static boolean holds(ProcessCluster cluster, long most, boolean isRefused)
      throws IOException {
    QuotaLine line = quota(cluster);
    return line.isRefused() == isRefused
        && line.heldBytes().filter(bytes -> bytes < most).isPresent();
  }

  @Test
  void whatAddsIsRefusedUntilEnoughIsDeleted() throws Exception {
    run("cluster", "up", "--nodes", "1", "--port", "0");
    String set = run("slo", "set", "shop", "--tables", "orders", "--quota", "400KB");
    assertTrue(set.contains("which hold 391 KiB at most") && set.contains("best effort"), set);
    assertTrue(set.contains("shop: there is no table orders so far; there is none at all"), set);
    String json = run("slo", "set", "shop", "--tables", "orders", "--quota", "400KB", "--json");
    assertTrue(json.endsWith("\"tablesMissing\":[\"orders\"],\"tablesThere\":[]}]}\n"), json);
    assertEquals(1, json.lines().count(), json);
    try (ProcessCluster cluster =
            ProcessCluster.in(temp.resolve("cluster"), Duration.ofSeconds(30));
        EcStore store = EcStore.connect(cluster.addresses())) {
      store.catalog().open(ORDERS);
      List<Long> kept = new ArrayList<>();
      List<QuotaExceededException> refused = new ArrayList<>();
      Await.until(
          "what adds is refused",
          () -> {
            try {
              order(store, kept.size());
              kept.add((long) kept.size());
            } catch (QuotaExceededException e) {
              refused.add(e);
            }
            return !refused.isEmpty();
          });
      String message = String.valueOf(refused.getFirst().getMessage());
      assertTrue(message.contains("\"shop\" holds ") && message.contains("391 KiB"), message);
      assertTrue(message.contains("delete records"), message);
      assertTrue(kept.size() * (TEXT + 3L * CUSTOMER) > QUOTA, kept.size() + " orders");
      String status = run("slo", "status");
      assertTrue(status.contains("of 391 KiB, ") && status.contains("%, refused"), status);

      // Others are, and so are reads and deletes.
      store.execute(tx -> tx.put(LOGS, Tuple.of(1L), "a line"));
      assertThrows(
          QuotaExceededException.class,
          () ->
              store.execute(
                  tx -> {
                    tx.put(LOGS, Tuple.of(1L), "not written");
                    tx.put(ORDERS, Tuple.of(0L), new Order("c", ""));
                  }));
      assertEquals(
          "a line",
          store.<String, RuntimeException>read(at -> at.get(LOGS, Tuple.of(1L)).orElseThrow()));
      int left = 20;
      store.execute(
          tx -> {
            tx.put(LOGS, Tuple.of(2L), "orders are deleted");
            kept.subList(left, kept.size()).forEach(number -> tx.delete(ORDERS, Tuple.of(number)));
          });
      Await.until("it is taken again", () -> holds(cluster, QUOTA, false));
      // Of each order the record and the entry of the index, which has the customer.
      long held = quota(cluster).heldBytes().orElseThrow();
      long records = left * (TEXT + (long) CUSTOMER);
      assertTrue(held > records + left * (CUSTOMER - 100L), () -> held + " of " + records);
      assertTrue(held < 2 * records, () -> held + " of " + records);
      order(store, 0);
      assertEquals(left, store.<Long, RuntimeException>read(at -> at.count(ORDERS)));

      run("slo", "set", "shop", "--tables", "orders", "--quota", "100KB");
      Await.until("a lesser quota is over", () -> holds(cluster, QUOTA, true));
      assertThrows(QuotaExceededException.class, () -> order(store, 0));
      run("slo", "remove", "shop");
      Await.until(
          "without a quota it is taken",
          () -> {
            try {
              order(store, 0);
              return true;
            } catch (QuotaExceededException e) {
              return false;
            }
          });
      assertTrue(run("cluster", "decisions").contains("refuse what adds to shop"));
    }
    assertTrue(BY_CUSTOMER.name().startsWith("by-"));
  }
}
