package org.ecstore.bookstore.web;

import static org.ecstore.bookstore.web.FilledShop.POPULATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.audit.Books;
import org.ecstore.bookstore.model.CardTransaction.CardType;
import org.ecstore.bookstore.model.CartLine;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.ShipType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What no browser sends, and what impatient ones send many times at once, over HTTP. */
class HostileRequestsTest {
  private static final long HUGE = 100_000_000;
  private static final int AT_ONCE = 20;
  private static final Duration WITHIN = Duration.ofSeconds(60);
  private static final String FORM = "application/x-www-form-urlencoded";

  @TempDir private static Path directory = Path.of("");
  private static @Nullable FilledShop shop;
  private static String root = "";

  @BeforeAll
  static void open() throws Exception {
    FilledShop opened = FilledShop.open(directory);
    shop = opened;
    root = opened.root();
  }

  @AfterAll
  static void close() {
    Objects.requireNonNull(shop).close();
  }

  private static Bookstore data() {
    return Objects.requireNonNull(shop).data();
  }

  /** A browser that keeps cookies; several threads may use it once it has what it needs. */
  private static final class Visit implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, String> cookies = new LinkedHashMap<>();

    HttpResponse<String> get(String path) throws Exception {
      return kept(sent(request(path)));
    }

    HttpResponse<String> post(String path, Map<String, String> form) throws Exception {
      return kept(sent(posting(path, form)));
    }

    HttpRequest.Builder posting(String path, Map<String, String> form) {
      String body =
          form.entrySet().stream()
              .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
              .collect(Collectors.joining("&"));
      return request(path)
          .header("Content-Type", FORM)
          .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private HttpRequest.Builder request(String path) {
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + path)).timeout(WITHIN);
      if (!cookies.isEmpty()) {
        request.header(
            "Cookie",
            cookies.entrySet().stream()
                .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                .collect(Collectors.joining("; ")));
      }
      return request;
    }

    HttpResponse<String> sent(HttpRequest.Builder request) throws Exception {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> kept(HttpResponse<String> answer) {
      for (String cookie : answer.headers().allValues("set-cookie")) {
        String[] named = cookie.split(";", 2)[0].split("=", 2);
        cookies.put(named[0], named[1]);
      }
      return answer;
    }

    /** The same form from many threads at once. */
    List<HttpResponse<String>> atOnce(String path, List<Map<String, String>> forms)
        throws Exception {
      List<Future<HttpResponse<String>>> sending = new ArrayList<>();
      List<HttpResponse<String>> answers = new ArrayList<>();
      try (ExecutorService threads = Executors.newFixedThreadPool(forms.size())) {
        for (Map<String, String> form : forms) {
          sending.add(threads.submit(() -> sent(posting(path, form))));
        }
        for (Future<HttpResponse<String>> one : sending) {
          answers.add(one.get());
        }
      }
      return answers;
    }

    UUID cart() {
      return UUID.fromString(Objects.requireNonNull(cookies.get("cart")));
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static void assertShopAnswers() throws Exception {
    try (Visit visit = new Visit()) {
      assertEquals(200, visit.get("/").statusCode());
    }
  }

  private static Socket connected() throws IOException {
    URI at = URI.create(root);
    Socket socket = new Socket(at.getHost(), at.getPort());
    socket.setSoTimeout((int) WITHIN.toMillis());
    return socket;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Sends a body of a hundred megabytes, as far as the shop lets it. */
  private static void sendHuge(String line, String type, boolean isChunked) throws IOException {
    byte[] content = ascii("x".repeat(1 << 16));
    try (Socket socket = connected()) {
      OutputStream out = socket.getOutputStream();
      out.write(
          ascii(
              "%s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\n%s\r\n\r\n"
                  .formatted(
                      line,
                      type,
                      isChunked ? "Transfer-Encoding: chunked" : "Content-Length: " + HUGE)));
      byte[] size = ascii(Integer.toHexString(content.length) + "\r\n");
      for (long sent = 0; sent < HUGE; sent += content.length) {
        if (isChunked) {
          out.write(size);
        }
        out.write(content);
        if (isChunked) {
          out.write(ascii("\r\n"));
        }
      }
    }
  }

  /** A request with a body that has no end in sight. */
  private record Huge(String line, String type, boolean isChunked) {}

  /** Each method, each type and both ways to say how long a body is, not each with each other. */
  @Test
  void hugeBodiesAreNotReadToTheirEnd() throws Exception {
    Map<Huge, Future<?>> sending = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Huge huge :
          List.of(
              new Huge("POST /cart/add", FORM, false),
              new Huge("POST /cart", FORM, true),
              new Huge("POST /checkout/register", "multipart/form-data; boundary=b", false),
              new Huge("POST /checkout/confirm", "text/plain", true),
              new Huge("POST /orders", "application/json", false),
              new Huge("POST /nothing", FORM, true),
              new Huge("GET /", "text/plain", false),
              new Huge("PUT /cart", FORM, true),
              new Huge("PATCH /cart", FORM, false),
              new Huge("DELETE /cart", "application/json", true))) {
        sending.put(
            huge,
            threads.submit(
                () -> {
                  sendHuge(huge.line(), huge.type(), huge.isChunked());
                  return true;
                }));
      }
      for (Map.Entry<Huge, Future<?>> one : sending.entrySet()) {
        ExecutionException hungUp =
            assertThrows(
                ExecutionException.class,
                () -> one.getValue().get(),
                () -> one.getKey() + " was read whole");
        assertInstanceOf(IOException.class, hungUp.getCause());
      }
    }
    assertShopAnswers();
  }

  /** What came back: the status, or 0 if the shop only hung up. */
  private static int answered(String request) throws IOException {
    try (Socket socket = connected()) {
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      try {
        socket.getOutputStream().write(ascii(request));
        socket.getInputStream().transferTo(answer);
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException e) {
        // Hung up while this was sent; what was said before may have come.
      }
      Matcher status =
          Pattern.compile("^HTTP/1.1 (\\d{3}) ").matcher(answer.toString(StandardCharsets.UTF_8));
      return status.find() ? Integer.parseInt(status.group(1)) : 0;
    }
  }

  private static void assertRefused(String request) throws IOException {
    int status = answered(request);
    String what = request.substring(0, Math.min(60, request.length()));
    assertTrue(status == 0 || (status >= 400 && status < 500), () -> what + ": " + status);
  }

  private static String posted(String path, String body) {
    return ("POST %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: %s\r\n"
            + "Content-Length: %d\r\n\r\n%s")
        .formatted(path, FORM, body.length(), body);
  }

  private static String got(String path, String headers) {
    return "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s\r\n".formatted(path, headers);
  }

  @Test
  void tooMuchOfAnythingIsRefused() throws Exception {
    String many = "item=1&".repeat(10_000);
    String word = "x".repeat(1_000_000);
    for (String path : List.of("/cart/add", "/cart", "/checkout/login", "/checkout/confirm")) {
      assertRefused(posted(path, "a=&".repeat(10_000)));
      assertRefused(posted(path, many));
      assertRefused(posted(path, "text=" + word));
      assertRefused(posted(path + "?" + "a=&".repeat(1_000), "item=1"));
    }
    assertRefused(got("/search/results?" + many, ""));
    assertRefused(got("/search/results?text=" + word, ""));
    assertRefused(posted("/search/results", "text=" + word));
    assertRefused(got("/", "Cookie: cart=" + word + "\r\n"));
    assertRefused(got("/", "Cookie: a=b\r\n".repeat(5_000)));
    assertRefused(got("/" + word, ""));
    assertRefused("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n");
    assertRefused(
        "POST /cart HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\nConnection: close\r\n\r\n");
    assertRefused(word + "\r\n\r\n");
    assertShopAnswers();
  }

  @Test
  void aWrongQuantityChangesNothing() throws Exception {
    try (Visit visit = new Visit()) {
      assertEquals(302, visit.post("/cart/add", Map.of("item", "81")).statusCode());
      for (String quantity :
          List.of(
              "1000",
              "2147483647",
              "2147483648",
              "4294967297",
              "9223372036854775807",
              "9223372036854775808",
              "-1",
              "-2147483649",
              "-9223372036854775808",
              "1e9",
              "1.5",
              "0x10",
              "NaN",
              "",
              "1 1",
              "9".repeat(10_000))) {
        assertEquals(
            400, visit.post("/cart", Map.of("q-81", quantity)).statusCode(), () -> quantity);
      }
      assertEquals(400, visit.post("/cart", Map.of("q-x", "1")).statusCode());
      assertEquals(400, visit.post("/cart", Map.of("q-" + "9".repeat(30), "1")).statusCode());
      // Books that are not in it stay out.
      assertEquals(302, visit.post("/cart", Map.of("q--1", "5", "q-82", "5")).statusCode());
      List<CartLine> lines = data().cart(visit.cart()).lines();
      assertEquals(List.of(81L), lines.stream().map(CartLine::item).toList());
      assertEquals(1, lines.getFirst().quantity());
    }
  }

  @Test
  void numbersOfNoBookAreNotFound() throws Exception {
    try (Visit visit = new Visit()) {
      for (String number : List.of("-1", "0", "101", Long.toString(Long.MIN_VALUE), "2147483648")) {
        for (String path : List.of("/book/", "/admin/", "/covers/small-")) {
          String whole = path + number + (path.startsWith("/covers") ? ".svg" : "");
          assertEquals(404, visit.get(whole).statusCode(), whole);
        }
        assertEquals(400, visit.post("/cart/add", Map.of("item", number)).statusCode(), number);
        assertEquals(
            400,
            visit.post("/cart/add", Map.of("item", number, "form", number)).statusCode(),
            number);
        assertEquals(302, visit.post("/cart/remove", Map.of("item", number)).statusCode(), number);
        int changed =
            visit.post("/admin/" + number, Map.of("price", "1", "design", "1")).statusCode();
        assertTrue(changed == 404 || changed == 400, number + ": " + changed);
        assertEquals(302, visit.get("/order/confirmed/" + number).statusCode(), number);
      }
      for (String price : List.of("-1", "0", "1e9", "99999999999", "1,5", "")) {
        Map<String, String> form = Map.of("price", price, "design", "1");
        assertEquals(400, visit.post("/admin/83", form).statusCode(), price);
      }
    }
  }

  @Test
  void aWrongCookieIsNone() throws Exception {
    for (String cookie :
        List.of(
            "cart=",
            "cart=x",
            "cart=../../etc/passwd",
            "cart=00000000-0000-0000-0000-00000000000G",
            "cart=0-0-0-0-0",
            "cart=\"",
            "cart=x; cart=y",
            "login=",
            "login=..",
            "login=1.2.3",
            "login=1.9999999999999.AAAA",
            "login=-1.99999999999999999999.====",
            "ecstore-session=",
            "ecstore-session=!!!",
            "ecstore-session=" + "A".repeat(8_000),
            "=",
            ";;;=;")) {
      for (String path : List.of("/", "/cart", "/checkout", "/orders")) {
        assertEquals(200, answered(got(path, "Cookie: " + cookie + "\r\n")), path + " " + cookie);
      }
      assertEquals(302, answered(got("/checkout/buy", "Cookie: " + cookie + "\r\n")), cookie);
      String add = posted("/cart/add", "item=1").replace("Host: x", "Host: x\r\nCookie: " + cookie);
      assertEquals(302, answered(add), cookie);
    }
  }

  private static Map<String, String> payment(HttpResponse<String> page) {
    assertEquals(200, page.statusCode(), page::body);
    Map<String, String> form = new LinkedHashMap<>();
    for (String name : List.of("submission", "total")) {
      Matcher field =
          Pattern.compile("name=\"" + name + "\" value=\"([^\"]*)\"").matcher(page.body());
      assertTrue(field.find(), page::body);
      form.put(name, field.group(1));
    }
    form.put("cardType", CardType.VISA.name());
    form.put("cardNumber", "4111111111111111");
    form.put("cardHolder", "A Reader");
    form.put("cardExpires", "2099-12");
    form.put("shipType", ShipType.AIR.name());
    return form;
  }

  private static Visit withCart(long item, int customer) throws Exception {
    Visit visit = new Visit();
    assertEquals(302, visit.post("/cart/add", Map.of("item", Long.toString(item))).statusCode());
    Customer known = POPULATION.customer(customer);
    Map<String, String> login = Map.of("userName", known.userName(), "password", known.password());
    assertEquals(302, visit.post("/checkout/login", login).statusCode());
    return visit;
  }

  private static List<Map<String, String>> times(Map<String, String> form) {
    List<Map<String, String>> same = new ArrayList<>();
    for (int time = 0; time < AT_ONCE; time++) {
      same.add(form);
    }
    return same;
  }

  private static void assertBooksRight(Map<String, Long> told) {
    Books.Verdict books =
        Books.check(data().ledger(), item -> POPULATION.stock(item).onHand(), told);
    assertTrue(books.right(), books::toString);
  }

  private static String location(HttpResponse<String> answer) {
    assertEquals(302, answer.statusCode(), answer::body);
    return answer.headers().firstValue("location").orElse("").replaceFirst("^http://[^/]*", "");
  }

  @Test
  void aFormThatIsSentTwentyTimesAtOnceBuysOnce() throws Exception {
    try (Visit visit = withCart(84, 21)) {
      Map<String, String> form = payment(visit.get("/checkout/buy"));
      Set<String> orders = new TreeSet<>();
      for (HttpResponse<String> answer : visit.atOnce("/checkout/confirm", times(form))) {
        orders.add(location(answer));
      }
      assertEquals(1, orders.size(), orders::toString);
      String order = orders.iterator().next();
      Matcher number = Pattern.compile("^/order/confirmed/(\\d+)\\?").matcher(order);
      assertTrue(number.find(), order);
      String submission = Objects.requireNonNull(form.get("submission"));
      assertBooksRight(Map.of(submission, Long.parseLong(number.group(1))));
    }
  }

  @Test
  void aCartIsBoughtByOneOfTwentyTabs() throws Exception {
    try (Visit visit = withCart(85, 22)) {
      List<Map<String, String>> tabs = new ArrayList<>();
      for (int tab = 0; tab < AT_ONCE; tab++) {
        tabs.add(payment(visit.get("/checkout/buy")));
      }
      List<Integer> answered =
          visit.atOnce("/checkout/confirm", tabs).stream()
              .map(HttpResponse::statusCode)
              .sorted()
              .toList();
      assertEquals(302, answered.getFirst(), answered::toString);
      assertEquals(
          AT_ONCE - 1,
          answered.stream().filter(status -> status == 400).count(),
          answered::toString);
      assertBooksRight(Map.of());
    }
  }

  @Test
  void aFormThatIsSentTwentyTimesAtOnceAddsOneBookAndOneCustomer() throws Exception {
    try (Visit visit = withCart(86, 23)) {
      Map<String, String> add = Map.of("item", "87", "form", UUID.randomUUID().toString());
      visit
          .atOnce("/cart/add", times(add))
          .forEach(answer -> assertEquals("/cart", location(answer)));
      Map<Long, Long> lines =
          data().cart(visit.cart()).lines().stream()
              .collect(Collectors.toMap(CartLine::item, CartLine::quantity));
      assertEquals(Map.of(86L, 1L, 87L, 1L), lines);

      Map<String, String> register = new LinkedHashMap<>();
      register.put("form", UUID.randomUUID().toString());
      for (String field :
          List.of("firstName", "lastName", "email", "street1", "city", "zip", "phone")) {
        register.put(field, "x");
      }
      register.put("born", "1990-12-31");
      register.put("country", "1");
      Set<String> customers = new TreeSet<>();
      for (HttpResponse<String> answer : visit.atOnce("/checkout/register", times(register))) {
        location(answer);
        customers.addAll(
            answer.headers().allValues("set-cookie").stream()
                .filter(cookie -> cookie.startsWith("login="))
                .map(cookie -> cookie.split("\\.", 2)[0])
                .toList());
      }
      assertEquals(1, customers.size(), customers::toString);
      assertBooksRight(Map.of());
    }
  }
}
