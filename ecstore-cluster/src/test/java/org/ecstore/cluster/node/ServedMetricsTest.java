package org.ecstore.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.cluster.config.ConfigReader;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose configuration names a port for metrics. */
@Timeout(180)
class ServedMetricsTest {
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());

  @TempDir private Path temp;

  private ServerConfig config(int metricsPort) throws IOException {
    Path file =
        Files.writeString(
            temp.resolve("ecstore.toml"),
            """
            node.id = 7
            node.directory = "data"
            cluster.name = "shop"
            listen.port = 0
            metrics.port = %d
            """
                .formatted(metricsPort));
    return ConfigReader.read(file, Map.of());
  }

  private static String scrape(int port) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build(),
              BodyHandlers.ofString())
          .body();
    }
  }

  private static void has(String scraped, String line) {
    assertTrue(scraped.lines().anyMatch(line::equals), () -> line + " is not in\n" + scraped);
  }

  @Test
  void commitsOfTheNodeAndItsJvmAreScraped() throws Exception {
    int port = new FreePorts().next();
    try (NodeServer server =
        NodeServer.start(config(port), new StopSignals(), notice -> {}).orElseThrow()) {
      assertTrue(server.awaitServing());
      try (EcStore store = EcStore.connect(server.address())) {
        store.execute(tx -> tx.put(WORDS, Tuple.of("k"), "v"));
        store.execute(tx -> tx.put(WORDS, Tuple.of("k"), "w"));
      }
      String scraped = scrape(port);
      has(scraped, "ecstore_commits_total{cluster=\"shop\",end=\"committed\",node=\"7\"} 2.0");
      has(scraped, "ecstore_commits_total{cluster=\"shop\",end=\"conflict\",node=\"7\"} 0.0");
      has(scraped, "ecstore_takeovers_total{cluster=\"shop\",node=\"7\"} 1.0");
      assertTrue(scraped.contains("\njvm_memory_used_bytes{"), scraped);
      assertTrue(scraped.contains("\njvm_threads_live_threads{"), scraped);
      assertTrue(scraped.contains("\njvm_gc_live_data_size_bytes{"), scraped);
    }
    assertThrows(IOException.class, () -> scrape(port));
  }

  @Test
  void takenPortIsRefusedWithItsKey() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ServerConfig config = config(taken.getLocalPort());
      StartRefusedException refused =
          assertThrows(
              StartRefusedException.class,
              () -> NodeServer.start(config, new StopSignals(), notice -> {}));
      assertEquals(
          "cannot listen on 127.0.0.1:"
              + taken.getLocalPort()
              + ": the port is in use, or the address is not this machine's. End what has it, or"
              + " choose another metrics.port",
          refused.getMessage());
      assertTrue(!Files.exists(temp.resolve("data")), "nothing is made");
    }
  }
}
