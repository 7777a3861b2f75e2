package org.ecstore.matrix;

import com.example.accounts.AccountsApplication;
import io.netty.util.Version;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The example of accounts, two instances of it on one store, asked over HTTP. Arguments: the Netty
 * expected, and addresses.
 */
public final class StarterCase {
  private static final int MOVERS = 4;
  private static final int MOVES = 10;
  private static final String COOKIE = "ecstore-session=";

  private final HttpClient http = HttpClient.newHttpClient();

  private StarterCase() {}

  public static void main(String[] arguments) throws Exception {
    StarterCase application = new StarterCase();
    try (ConfigurableApplicationContext first = started(arguments[1]);
        ConfigurableApplicationContext second = started(arguments[1])) {
      application.ask(port(first), port(second));
    }
    try (ConfigurableApplicationContext alone = started("127.0.0.1:1")) {
      application.askWithoutStore(port(alone));
    }
    String netty = Version.identify().get("netty-common").artifactVersion();
    require(netty.startsWith(arguments[0]), "Netty " + netty);
    System.out.println("works with Netty " + netty);
  }

  private static ConfigurableApplicationContext started(String nodes) {
    return SpringApplication.run(
        AccountsApplication.class,
        "--spring.main.banner-mode=off",
        "--spring.application.name=accounts",
        "--server.port=0",
        "--server.address=127.0.0.1",
        "--ecstore.nodes=" + nodes,
        "--ecstore.deadline=10s",
        "--ecstore.health.timeout=500ms",
        "--management.endpoints.web.exposure.include=health,metrics",
        "--management.endpoint.health.probes.enabled=true",
        "--management.endpoint.health.show-details=always");
  }

  private static int port(ConfigurableApplicationContext context) {
    return Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port"));
  }

  private void ask(int first, int second) throws Exception {
    // The first requests may come before the key of tokens is known.
    String cookie = "";
    for (int i = 0; cookie.isEmpty() && i < 200; i++) {
      cookie = cookie(send(first, "POST", "/accounts/carol?amount=1", ""));
      Thread.sleep(20);
    }
    require(!cookie.isEmpty(), "no cookie came");
    send(first, "POST", "/accounts/alice?amount=" + -balance(first, "alice", cookie), "");
    cookie = cookie(send(first, "POST", "/accounts/alice?amount=1000", ""));
    require(balance(second, "alice", cookie) == 1_000, "own writes are not read elsewhere");

    long bob = balance(second, "bob", cookie);
    moves(first, second);
    cookie = cookie(send(first, "POST", "/accounts/carol?amount=1", cookie));
    require(balance(second, "alice", cookie) == 1_000 - MOVERS * MOVES, "moves of alice's");
    require(balance(second, "bob", cookie) - bob == MOVERS * MOVES, "moves to bob's");

    HttpResponse<String> refused =
        send(first, "POST", "/moves?from=alice&to=bob&amount=5000", cookie);
    require(refused.statusCode() == 409, "too much was moved: " + refused.statusCode());
    require(balance(first, "alice", cookie) == 1_000 - MOVERS * MOVES, "half of a move was done");

    require(
        send(first, "GET", "/accounts/alice", cookie)
            .headers()
            .allValues("set-cookie")
            .isEmpty(),
        "a page that only reads has a cookie");
    String health = send(first, "GET", "/actuator/health", "").body();
    require(health.contains("\"ecStore\":{") && health.contains("\"UP\""), health);
    String metrics = send(first, "GET", "/actuator/metrics/ecstore.client.operations", "").body();
    require(metrics.contains("balances") && metrics.contains("commit"), metrics);
    HttpResponse<String> ready = send(first, "GET", "/actuator/health/readiness", "");
    require(ready.statusCode() == 200, "not ready: " + ready.body());
  }

  /** Nothing listens there. */
  private void askWithoutStore(int port) throws Exception {
    require(send(port, "GET", "/actuator/health/liveness", "").statusCode() == 200, "not alive");
    HttpResponse<String> ready = send(port, "GET", "/actuator/health/readiness", "");
    for (int i = 0; ready.statusCode() != 503 && i < 100; i++) {
      Thread.sleep(50);
      ready = send(port, "GET", "/actuator/health/readiness", "");
    }
    require(ready.statusCode() == 503, "ready without a store: " + ready.body());
    HttpResponse<String> health = send(port, "GET", "/actuator/health", "");
    require(health.statusCode() == 503, "healthy without a store: " + health.body());
  }

  /** Both instances move the same money at once: conflicts are met by other tries. */
  private void moves(int first, int second) throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(MOVERS);
    List<Future<?>> moving = new ArrayList<>();
    for (int mover = 0; mover < MOVERS; mover++) {
      int port = mover % 2 == 0 ? first : second;
      moving.add(
          threads.submit(
              () -> {
                for (int i = 0; i < MOVES; i++) {
                  HttpResponse<String> moved =
                      send(port, "POST", "/moves?from=alice&to=bob&amount=1", "");
                  require(moved.statusCode() == 200, "a move failed: " + moved.body());
                }
                return null;
              }));
    }
    for (Future<?> one : moving) {
      one.get();
    }
    threads.shutdown();
  }

  private long balance(int port, String account, String cookie)
      throws IOException, InterruptedException {
    HttpResponse<String> balance = send(port, "GET", "/accounts/" + account, cookie);
    return balance.statusCode() == 404 ? 0 : Long.parseLong(balance.body());
  }

  private HttpResponse<String> send(int port, String method, String path, String cookie)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (!cookie.isEmpty()) {
      request.header("Cookie", cookie);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String cookie(HttpResponse<String> response) {
    return response.headers().allValues("set-cookie").stream()
        .filter(value -> value.startsWith(COOKIE))
        .map(value -> value.split(";", -1)[0])
        .findFirst()
        .orElse("");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException(what);
    }
  }
}
