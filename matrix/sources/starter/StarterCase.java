package org.ecstore.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.example.accounts.Accounts;
import com.example.accounts.AccountsApplication;
import io.netty.util.Version;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.EcStore;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The example of accounts, two instances of it on one store, asked over HTTP and closed under a
 * request, and one that starts before its store. Arguments: the Netty expected, addresses, those of
 * a node that does not run, and a file: once it is there that node is started.
 */
public final class StarterCase {
  private static final int MOVERS = 4;
  private static final int MOVES = 10;
  private static final int SECONDS_MAX = 60;
  private static final String COOKIE = "ecstore-session=";

  private final HttpClient http = HttpClient.newHttpClient();

  private StarterCase() {}

  public static void main(String[] arguments) throws Exception {
    StarterCase application = new StarterCase();
    // The other one has virtual threads, on a Java that has them.
    try (ConfigurableApplicationContext first = started(arguments[1], false);
        ConfigurableApplicationContext second = started(arguments[1], true)) {
      application.ask(port(first), port(second));
      application.closeUnderARequest(first);
      application.closeUnderARequest(second);
    }
    try (ConfigurableApplicationContext early = started(arguments[2], false)) {
      application.askWithoutStore(port(early));
      Files.createFile(Path.of(arguments[3]));
      application.askOnceItIsThere(port(early));
    }
    String netty = Version.identify().get("netty-common").artifactVersion();
    require(netty.startsWith(arguments[0]), "Netty " + netty);
    System.out.println("works with Netty " + netty);
  }

  private static ConfigurableApplicationContext started(String nodes, boolean virtualThreads) {
    return new SpringApplicationBuilder(AccountsApplication.class, LongRequest.class)
        .run(
            "--spring.main.banner-mode=off",
            "--spring.application.name=accounts",
            "--spring.threads.virtual.enabled=" + virtualThreads,
            "--server.port=0",
            "--server.address=127.0.0.1",
            "--ecstore.nodes=" + nodes,
            "--ecstore.deadline=10s",
            "--ecstore.health.timeout=500ms",
            "--management.endpoints.web.exposure.include=health,metrics",
            "--management.endpoint.health.probes.enabled=true",
            "--management.endpoint.health.show-details=always");
  }

  /** A request that is under way for as long as the test wants. */
  @RestController
  public static class LongRequest {
    private final Accounts accounts;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);

    LongRequest(Accounts accounts) {
      this.accounts = accounts;
    }

    /**
     * Pays twice, and says by how much the balance has grown. All of the answer is sent within the
     * request: a server that shuts down waits for that, not for what it would send behind it.
     */
    @PostMapping("/long")
    void pay(HttpServletResponse response) throws IOException, InterruptedException {
      long before = accounts.pay("erin", 1) - 1;
      begun.countDown();
      require(goesOn.await(SECONDS_MAX, TimeUnit.SECONDS), "the long request is forgotten");
      byte[] answer = Long.toString(accounts.pay("erin", 1) - before).getBytes(UTF_8);
      response.setContentLength(answer.length);
      response.getOutputStream().write(answer);
      response.flushBuffer();
    }
  }

  /** The request ends as if there were no hurry; behind it the store is closed. */
  private void closeUnderARequest(ConfigurableApplicationContext context) throws Exception {
    LongRequest request = context.getBean(LongRequest.class);
    EcStore store = context.getBean(EcStore.class);
    int port = port(context);
    CompletableFuture<HttpResponse<String>> answer =
        http.sendAsync(
            request(port, "POST", "/long", ""), HttpResponse.BodyHandlers.ofString());
    require(request.begun.await(SECONDS_MAX, TimeUnit.SECONDS), "the long request does not begin");
    Thread closing = new Thread(context::close, "closes");
    closing.start();
    awaitNoMore(port);
    request.goesOn.countDown();
    HttpResponse<String> answered = answer.get(SECONDS_MAX, TimeUnit.SECONDS);
    require(
        answered.statusCode() == 200 && answered.body().equals("2"),
        "the last request ended with " + answered.statusCode() + " " + answered.body());
    closing.join(SECONDS_MAX * 1_000L);
    require(!closing.isAlive(), "the application does not close");
    try {
      store.reach(Duration.ofSeconds(1));
      throw new IllegalStateException("the store is open when the application is closed");
    } catch (EcStoreException e) {
      require(e.code() == ErrorCode.CLOSED, "not closed, but " + e);
    }
  }

  /** Until a server that shuts down takes no more connections; what is under way goes on. */
  private static void awaitNoMore(int port) throws Exception {
    for (int i = 0; i < 600; i++) {
      try (Socket probe = new Socket("127.0.0.1", port)) {
        Thread.sleep(50);
      } catch (ConnectException e) {
        return;
      }
    }
    throw new IllegalStateException("an application that closes takes requests");
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

  /** Its node has come up where none was. */
  private void askOnceItIsThere(int port) throws Exception {
    HttpResponse<String> ready = send(port, "GET", "/actuator/health/readiness", "");
    for (int i = 0; ready.statusCode() != 200 && i < 600; i++) {
      Thread.sleep(100);
      ready = send(port, "GET", "/actuator/health/readiness", "");
    }
    require(ready.statusCode() == 200, "not ready with a store: " + ready.body());
    HttpResponse<String> paid = send(port, "POST", "/accounts/dave?amount=7", "");
    require(paid.statusCode() == 200 && paid.body().equals("7"), "not paid: " + paid.body());
    HttpResponse<String> health = send(port, "GET", "/actuator/health", "");
    require(health.statusCode() == 200, "not healthy with a store: " + health.body());
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
    return http.send(
        request(port, method, path, cookie), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpRequest request(int port, String method, String path, String cookie) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (!cookie.isEmpty()) {
      request.header("Cookie", cookie);
    }
    return request.build();
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
