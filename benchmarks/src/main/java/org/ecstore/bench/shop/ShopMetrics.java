package org.ecstore.bench.shop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** What the shop's application says of itself. */
public final class ShopMetrics {
  private static final Duration WITHIN = Duration.ofSeconds(30);

  private ShopMetrics() {}

  /** How often a transaction came to nothing, as another one was in the way, so far. */
  public static long conflicts(HttpClient client, URI root)
      throws IOException, InterruptedException {
    return counter(client, root, "conflicts");
  }

  /** How often a transaction was run again so far. */
  public static long retries(HttpClient client, URI root) throws IOException, InterruptedException {
    return counter(client, root, "retries");
  }

  private static long counter(HttpClient client, URI root, String name)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(root.resolve("/actuator/metrics/bookstore." + name))
            .timeout(WITHIN)
            .build();
    String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    JsonNode value = new ObjectMapper().readTree(body).at("/measurements/0/value");
    if (!value.isNumber()) {
      throw new IOException("the shop does not tell its " + name + ": " + body);
    }
    return value.asLong();
  }
}
