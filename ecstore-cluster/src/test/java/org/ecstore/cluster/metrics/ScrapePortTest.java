package org.ecstore.cluster.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ScrapePortTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private final ScrapePort port = open();

  private static ScrapePort open() {
    try {
      return ScrapePort.open(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
          () -> "ecstore_x 1\n",
          "text/plain; version=0.0.4");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void close() {
    port.close();
    client.close();
  }

  private HttpResponse<String> ask(String method, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port.address().getPort() + path);
    return client.send(
        HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody()).build(),
        BodyHandlers.ofString());
  }

  @Test
  void metricsAreRead() throws Exception {
    HttpResponse<String> answer = ask("GET", "/metrics");
    assertEquals(200, answer.statusCode());
    assertEquals("ecstore_x 1\n", answer.body());
    assertEquals(
        "text/plain; version=0.0.4", answer.headers().firstValue("Content-Type").orElseThrow());
  }

  @Test
  void anotherPathIsRefusedInALine() throws Exception {
    for (String path : new String[] {"/", "/metrics/", "/metrics/x", "/../etc/passwd"}) {
      HttpResponse<String> answer = ask("GET", path);
      assertEquals(404, answer.statusCode(), path);
      assertEquals("there is nothing but /metrics here\n", answer.body());
    }
  }

  @Test
  void anotherMethodIsRefusedInALine() throws Exception {
    HttpResponse<String> answer = ask("POST", "/metrics");
    assertEquals(405, answer.statusCode());
    assertEquals("GET", answer.headers().firstValue("Allow").orElseThrow());
    assertEquals("/metrics is read with GET\n", answer.body());
  }

  @Test
  void takenPortIsSaid() {
    assertThrows(
        BindException.class, () -> ScrapePort.open(port.address(), () -> "", "text/plain").close());
  }

  @Test
  void closedPortAnswersNothing() {
    port.close();
    assertThrows(ConnectException.class, () -> ask("GET", "/metrics"));
  }
}
