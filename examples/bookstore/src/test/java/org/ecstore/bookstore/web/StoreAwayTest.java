package org.ecstore.bookstore.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The shop starts while its store is away, and says so. */
class StoreAwayTest {
  @Test
  void pagesSayToTryAgain() throws Exception {
    int closedPort;
    try (ServerSocket socket = new ServerSocket(0)) {
      closedPort = socket.getLocalPort();
    }
    try (ConfigurableApplicationContext context =
            FilledShop.started(
                "--server.port=0",
                "--ecstore.nodes=127.0.0.1:" + closedPort,
                "--ecstore.deadline=1s");
        HttpClient client = HttpClient.newHttpClient()) {
      String root = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
      HttpResponse<String> page =
          client.send(
              HttpRequest.newBuilder(URI.create(root + "/")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(503, page.statusCode());
      assertEquals("5", page.headers().firstValue("Retry-After").orElse(""));
      assertTrue(page.body().contains("look at your cart"), page::body);
      HttpResponse<String> search =
          client.send(
              HttpRequest.newBuilder(URI.create(root + "/search")).build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(200, search.statusCode());
    }
  }
}
