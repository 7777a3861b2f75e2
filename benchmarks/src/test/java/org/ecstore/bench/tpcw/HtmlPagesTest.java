package org.ecstore.bench.tpcw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.ecstore.bookstore.web.Signature;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a browser sends to a shop that only notes it. */
class HtmlPagesTest {
  private static final TpcwPopulation POPULATION =
      new TpcwPopulation(100, 2_880, Instant.parse("2026-06-01T00:00:00Z"));
  private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<String> logins = new CopyOnWriteArrayList<>();
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final AtomicInteger forms = new AtomicInteger();
  private volatile boolean greets = true;
  private HttpServer server;

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
    client.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String cookies =
        String.join("; ", exchange.getRequestHeaders().getOrDefault("Cookie", List.of()));
    if (!body.isEmpty()) {
      sent.add(path + " " + body);
    }
    String html =
        switch (path) {
          case "/" -> {
            logins.add(cookies);
            boolean known = cookies.contains(Signature.LOGIN_COOKIE + "=");
            yield known && greets ? "<h1>Welcome back, Ann</h1>" : "<h1>Books</h1>";
          }
          case "/cart/add", "/cart" -> "<input name=\"q-7\" value=\"1\">";
          case "/checkout/login", "/checkout/register" ->
              "<input name=\"submission\" value=\"s-1\"><input name=\"total\" value=\"100\">"
                  + "Your user name is <strong>OG</strong>";
          default -> "<input name=\"form\" value=\"form-%d\">".formatted(forms.incrementAndGet());
        };
    byte[] bytes = html.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private HtmlPages pages(long seed) {
    URI root = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    return new HtmlPages(
        new PageBrowser(client, root),
        new Visitors(new SplittableRandom(seed), POPULATION),
        Signature.by(KEY),
        (form, order) -> {});
  }

  @Test
  void fourOfFiveComeWithTheCookieOfAnEarlierVisitAndAreGreeted() throws Exception {
    HtmlPages pages = pages(3);
    int sessions = 300;
    for (int session = 0; session < sessions; session++) {
      pages.begin();
      pages.open(Interaction.HOME, Interaction.HOME);
    }
    long known = logins.stream().filter(cookie -> cookie.startsWith("login=")).count();
    assertEquals(0.8, (double) known / sessions, 0.1);
    assertEquals(sessions, logins.size(), "no page was asked for beside");
    assertTrue(logins.stream().anyMatch(String::isEmpty));
  }

  @Test
  void aKnownCustomerWhoIsNotGreetedIsAFault() throws Exception {
    greets = false;
    HtmlPages pages = pages(3);
    int wrong = 0;
    for (int session = 0; session < 20; session++) {
      pages.begin();
      try {
        pages.open(Interaction.HOME, Interaction.HOME);
      } catch (WrongPageException e) {
        wrong++;
      }
    }
    assertEquals(logins.stream().filter(cookie -> !cookie.isEmpty()).count(), wrong);
    assertTrue(wrong > 0);
  }

  @Test
  void aBookIsAddedByTheNumberOfItsPage() throws Exception {
    HtmlPages pages = pages(5);
    pages.begin();
    pages.open(Interaction.PRODUCT_DETAIL, Interaction.HOME);
    pages.open(Interaction.PRODUCT_DETAIL, Interaction.PRODUCT_DETAIL);
    pages.open(Interaction.SHOPPING_CART, Interaction.PRODUCT_DETAIL);
    assertEquals(1, sent.size());
    assertTrue(sent.getFirst().startsWith("/cart/add "), sent::toString);
    assertTrue(fields(sent.getFirst()).contains("form=form-2"), sent::toString);
  }

  /** TPC-W puts a book into an empty cart from any page: that form has a number of its own. */
  @Test
  void aFormWithoutAPageHasANumberToo() throws Exception {
    HtmlPages pages = pages(5);
    pages.begin();
    pages.open(Interaction.PRODUCT_DETAIL, Interaction.HOME);
    pages.open(Interaction.HOME, Interaction.PRODUCT_DETAIL);
    pages.open(Interaction.SHOPPING_CART, Interaction.HOME);
    String form =
        fields(sent.getFirst()).stream()
            .filter(field -> field.startsWith("form="))
            .findFirst()
            .orElseThrow();
    assertTrue(form.length() > "form=".length() + 30, form);
  }

  @Test
  void aCustomerRegistersByTheNumberOfThePage() throws Exception {
    HtmlPages pages = pages(5);
    List<String> numbers = new ArrayList<>();
    for (int session = 0; session < 40; session++) {
      pages.begin();
      pages.open(Interaction.CUSTOMER_REGISTRATION, Interaction.SHOPPING_CART);
      int before = sent.size();
      pages.open(Interaction.BUY_REQUEST, Interaction.CUSTOMER_REGISTRATION);
      String form = sent.get(before);
      if (form.startsWith("/checkout/register ")) {
        assertTrue(fields(form).contains("form=form-" + forms.get()), form);
        numbers.add(form);
      } else {
        assertFalse(form.contains("form="), form);
      }
    }
    assertFalse(numbers.isEmpty());
  }

  @Test
  void aPageThatHasNoFormIsAFault() {
    server.removeContext("/");
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    HtmlPages pages = pages(5);
    pages.begin();
    assertThrows(
        WrongPageException.class, () -> pages.open(Interaction.PRODUCT_DETAIL, Interaction.HOME));
  }

  private static List<String> fields(String sent) {
    return List.of(sent.substring(sent.indexOf(' ') + 1).split("&", -1));
  }
}
