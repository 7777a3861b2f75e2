package org.ecstore.bookstore.web;

import static org.ecstore.bookstore.web.FilledShop.POPULATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.audit.Books;
import org.ecstore.bookstore.model.Customer;
import org.htmlunit.FailingHttpStatusCodeException;
import org.htmlunit.WebClient;
import org.htmlunit.html.HtmlElement;
import org.htmlunit.html.HtmlForm;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.util.Cookie;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole shop, on a store in this JVM, as a browser without scripts sees it. */
class ShopInABrowserTest {
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

  private static Bookstore shop() {
    return Objects.requireNonNull(shop).data();
  }

  private static WebClient browser() {
    WebClient browser = new WebClient();
    browser.getOptions().setJavaScriptEnabled(false);
    browser.getOptions().setThrowExceptionOnFailingStatusCode(false);
    return browser;
  }

  private static HtmlPage page(WebClient browser, String path) throws Exception {
    HtmlPage page = browser.getPage(root + path);
    assertEquals(
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self';"
            + " frame-ancestors 'none'",
        page.getWebResponse().getResponseHeaderValue("Content-Security-Policy"));
    assertTrue(page.getTitleText().endsWith("Baton Books"), page.getTitleText());
    assertEquals(1, page.getElementsByTagName("h1").size(), page::asXml);
    return page;
  }

  private static HtmlForm form(HtmlPage page, String action) {
    return page.getForms().stream()
        .filter(form -> form.getActionAttribute().equals(action))
        .findFirst()
        .orElseThrow(() -> new AssertionError(action + " in " + page.asXml()));
  }

  private static HtmlPage sent(HtmlForm form) throws Exception {
    // Those of another form stand within it too.
    return form.<HtmlElement>querySelector("button:not([form])").click();
  }

  private static HtmlPage added(WebClient browser, long item) throws Exception {
    return sent(form(page(browser, "/book/" + item), "/cart/add"));
  }

  private static HtmlPage loggedIn(WebClient browser, Customer customer) throws Exception {
    HtmlForm form = form(page(browser, "/checkout"), "/checkout/login");
    form.getInputByName("userName").setValue(customer.userName());
    form.getInputByName("password").setValue(customer.password());
    return sent(form);
  }

  private static HtmlForm payment(HtmlPage page) {
    HtmlForm form = form(page, "/checkout/confirm");
    form.getInputByName("cardNumber").setValue("4111 1111 1111 1111");
    form.getInputByName("cardHolder").setValue("A Reader");
    form.getInputByName("cardExpires").setValue("2099-12");
    return form;
  }

  private static String order(HtmlPage page) {
    String path = page.getUrl().getPath();
    assertTrue(path.startsWith("/order/confirmed/"), page::asXml);
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static HtmlPage orderDisplay(WebClient browser, Customer customer) throws Exception {
    HtmlForm form = form(page(browser, "/orders"), "/orders");
    form.getInputByName("userName").setValue(customer.userName());
    form.getInputByName("password").setValue(customer.password());
    return sent(form);
  }

  private static String text(HtmlPage page) {
    return page.getBody().asNormalizedText();
  }

  @Test
  void fromHomeToTheOrder() throws Exception {
    Customer customer = POPULATION.customer(7);
    try (WebClient browser = browser()) {
      HtmlPage home = page(browser, "/");
      assertEquals(5, home.querySelectorAll(".shelf li").size());
      HtmlPage book =
          home.getAnchors().stream()
              .filter(anchor -> anchor.getHrefAttribute().startsWith("/book/"))
              .findFirst()
              .orElseThrow()
              .click();
      HtmlPage cart = sent(form(book, "/cart/add"));
      assertEquals("/cart", cart.getUrl().getPath());
      HtmlForm quantities = form(cart, "/cart");
      quantities.<HtmlElement>querySelector("input.quantity").setAttribute("value", "3");
      cart = sent(quantities);
      assertTrue(cart.asXml().contains("value=\"3\""), cart::asXml);
      HtmlPage buy = loggedIn(browser, customer);
      assertEquals("/checkout/buy", buy.getUrl().getPath());
      assertTrue(text(buy).contains(customer.firstName()), buy::asXml);
      String order = order(sent(payment(buy)));
      assertTrue(text(page(browser, "/cart")).contains("nothing in it"));
      HtmlPage display = orderDisplay(browser, customer);
      assertTrue(text(display).contains("Order " + order), display::asXml);
      assertTrue(text(display).contains("•••• 1111"), display::asXml);
      assertTrue(text(page(browser, "/")).contains("Welcome back, " + customer.firstName()));
    }
    assertTrue(
        Books.check(shop().ledger(), item -> POPULATION.stock(item).onHand(), Map.of()).right());
  }

  @Test
  void aSecondClickPutsNothingMoreIntoTheCart() throws Exception {
    try (WebClient browser = browser()) {
      HtmlForm form = form(page(browser, "/book/13"), "/cart/add");
      sent(form);
      HtmlPage cart = sent(form);
      assertEquals("1", cart.<HtmlElement>querySelector("input.quantity").getAttribute("value"));
      HtmlForm again = form(page(browser, "/book/13"), "/cart/add");
      assertEquals(
          "2", sent(again).<HtmlElement>querySelector("input.quantity").getAttribute("value"));
    }
  }

  @Test
  void backAndASecondClickBuyNothingMore() throws Exception {
    Customer customer = POPULATION.customer(8);
    try (WebClient browser = browser()) {
      added(browser, 11);
      HtmlForm form = payment(loggedIn(browser, customer));
      String order = order(sent(form));
      added(browser, 12);
      // The page from before, as the back button shows it.
      assertEquals(order, order(sent(form)));
      assertTrue(text(page(browser, "/cart")).contains(POPULATION.title(12)));
      assertNotEquals(order, order(sent(payment(page(browser, "/checkout/buy")))));
    }
  }

  @Test
  void twoTabsHaveOneCart() throws Exception {
    try (WebClient browser = browser()) {
      added(browser, 21);
      HtmlForm first = payment(loggedIn(browser, POPULATION.customer(9)));
      HtmlForm second = payment(page(browser, "/checkout/buy"));
      order(sent(first));
      HtmlPage late = sent(second);
      assertEquals(400, late.getWebResponse().getStatusCode());
      assertTrue(text(late).contains("Your cart is empty"), late::asXml);
    }
  }

  @Test
  void whoIsNotLoggedInAnyMoreKeepsTheCart() throws Exception {
    try (WebClient browser = browser()) {
      added(browser, 31);
      HtmlForm form = payment(loggedIn(browser, POPULATION.customer(10)));
      Cookie login = Objects.requireNonNull(browser.getCookieManager().getCookie("login"));
      for (String forged : new String[] {"", "10.99999999999999.AAAA", login.getValue() + "x"}) {
        browser.getCookieManager().removeCookie(login);
        browser.getCookieManager().addCookie(new Cookie("127.0.0.1", "login", forged));
        HtmlPage again = sent(form);
        assertTrue(text(again).contains("Log in again"), again::asXml);
        assertEquals("/checkout", page(browser, "/checkout/buy").getUrl().getPath());
      }
      assertTrue(text(page(browser, "/cart")).contains(POPULATION.title(31)));
    }
  }

  @Test
  void aScriptIsText() throws Exception {
    String script = "<script>alert(1)</script>";
    try (WebClient browser = browser()) {
      HtmlForm search = form(page(browser, "/search"), "/search/results");
      search.getInputByName("text").setValue(script);
      HtmlPage found = sent(search);
      assertTrue(text(found).contains(script), found::asXml);
      assertFalse(found.getWebResponse().getContentAsString().contains("<script"));
      HtmlForm form = form(page(browser, "/checkout"), "/checkout/login");
      form.getInputByName("userName").setValue("\"><b>x");
      form.getInputByName("password").setValue("y");
      HtmlPage again = sent(form);
      assertEquals(400, again.getWebResponse().getStatusCode());
      assertEquals("\"><b>x", form(again, "/checkout/login").getInputByName("userName").getValue());
    }
  }

  @Test
  void aNewCustomerIsMade() throws Exception {
    try (WebClient browser = browser()) {
      added(browser, 41);
      HtmlForm form = form(page(browser, "/checkout"), "/checkout/register");
      form.getInputByName("firstName").setValue("Zoë");
      form.getInputByName("born").setValue("yesterday");
      HtmlPage again = sent(form);
      assertEquals(400, again.getWebResponse().getStatusCode());
      HtmlForm complete = form(again, "/checkout/register");
      assertEquals("Zoë", complete.getInputByName("firstName").getValue());
      complete.getInputByName("lastName").setValue("O'Hara");
      complete.getInputByName("email").setValue("zoe@example.com");
      complete.getInputByName("born").setValue("1990-12-31");
      complete.getInputByName("street1").setValue("1 Road");
      complete.getInputByName("city").setValue("Oslo");
      complete.getInputByName("zip").setValue("0150");
      HtmlPage buy = sent(complete);
      assertTrue(text(buy).contains("Zoë O'Hara"), buy::asXml);
      HtmlForm pay = payment(buy);
      pay.getInputByName("cardExpires").setValue("2001-01");
      HtmlPage expired = sent(pay);
      assertTrue(text(expired).contains("has expired"), expired::asXml);
      order(sent(payment(expired)));
    }
  }

  @Test
  void aFormFromAnotherSiteIsRefused() throws Exception {
    assertEquals(302, posted("Sec-Fetch-Site", "same-origin"));
    assertEquals(302, posted("Origin", root));
    assertEquals(403, posted("Sec-Fetch-Site", "cross-site"));
    assertEquals(403, posted("Origin", "http://elsewhere.example"));
    assertEquals(403, posted("Origin", "null"));
  }

  private static int posted(String header, String value) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(root + "/cart/add"))
              .header(header, value)
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(HttpRequest.BodyPublishers.ofString("item=1"))
              .build();
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void wrongInputIsSaid() throws Exception {
    try (WebClient browser = browser()) {
      for (String path :
          new String[] {
            "/nothing",
            "/book/101",
            "/book/x",
            "/book/99999999999999999999",
            "/new?subject=X",
            "/admin/0",
            "/covers/small-x.svg",
            "/covers/..%2Fshop.css"
          }) {
        int status = status(browser, path);
        assertTrue(status == 404 || status == 400, path + ": " + status);
      }
      assertEquals(400, status(browser, "/search/results?by=SUBJECT&text=X"));
      assertEquals(400, status(browser, "/search/results?text=" + "x".repeat(201)));
      assertEquals(200, status(browser, "/search/results?text=%00%F0%9F%93%9A%20%27"));
    }
  }

  /** What no browser sends is the sender's fault, and no reason to try again. */
  @Test
  void malformedRequestsAreRefused() throws Exception {
    assertEquals(400, got("/search/results?text=%ff"));
    assertEquals(400, got("/new?" + "a=1&".repeat(301)));
    assertEquals(400, sentAs("application/x-www-form-urlencoded", "x=" + "y".repeat(100_000)));
    assertEquals(400, sentAs("multipart/form-data; boundary=b", "--b\r\nx"));
  }

  private static int got(String path) throws Exception {
    return answered(HttpRequest.newBuilder(URI.create(root + path)));
  }

  private static int sentAs(String type, String body) throws Exception {
    return answered(
        HttpRequest.newBuilder(URI.create(root + "/cart/add"))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private static int answered(HttpRequest.Builder request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void theAddressOfAFormLeadsToItsPage() throws Exception {
    try (WebClient browser = browser()) {
      assertEquals("/cart", page(browser, "/cart/add").getUrl().getPath());
      assertEquals("/checkout", page(browser, "/checkout/login").getUrl().getPath());
      assertEquals("/checkout", page(browser, "/checkout/register").getUrl().getPath());
      added(browser, 61);
      loggedIn(browser, POPULATION.customer(11));
      assertEquals("/checkout/buy", page(browser, "/checkout/confirm").getUrl().getPath());
    }
  }

  @Test
  void onlyTheBuyerIsThanked() throws Exception {
    try (WebClient browser = browser()) {
      added(browser, 62);
      HtmlPage confirmed = sent(payment(loggedIn(browser, POPULATION.customer(12))));
      order(confirmed);
      String path = confirmed.getUrl().getFile();
      assertEquals(200, status(browser, path));
      assertEquals(404, status(browser, path.replaceFirst("\\?.*", "")));
      assertEquals(404, status(browser, path.replaceFirst("confirmed/", "confirmed/9")));
      loggedIn(browser, POPULATION.customer(13));
      assertEquals(404, status(browser, path));
    }
  }

  @Test
  void anotherAddressInPartIsAskedForWhole() throws Exception {
    try (WebClient browser = browser()) {
      added(browser, 63);
      HtmlForm form = payment(loggedIn(browser, POPULATION.customer(14)));
      form.getInputByName("city").setValue("Rome");
      HtmlPage again = sent(form);
      assertEquals(400, again.getWebResponse().getStatusCode());
      assertTrue(text(again).contains("The street is missing"), again::asXml);
      assertTrue(again.<HtmlElement>querySelector("details").hasAttribute("open"));
      HtmlForm later = form(again, "/checkout/confirm");
      later.getInputByName("city").setValue("");
      later.getInputByName("cardExpires").setValue("+99999-12");
      assertEquals(400, sent(later).getWebResponse().getStatusCode());
    }
  }

  @Test
  void aWrongQuantityStaysTyped() throws Exception {
    try (WebClient browser = browser()) {
      HtmlForm form = form(added(browser, 64), "/cart");
      form.getInputByName("q-64").setValue("5000");
      HtmlPage again = sent(form);
      assertEquals(400, again.getWebResponse().getStatusCode());
      assertEquals("5000", form(again, "/cart").getInputByName("q-64").getValue());
    }
  }

  private static int status(WebClient browser, String path) throws Exception {
    try {
      return browser.getPage(root + path).getWebResponse().getStatusCode();
    } catch (FailingHttpStatusCodeException e) {
      return e.getStatusCode();
    }
  }

  @Test
  void aBookIsChanged() throws Exception {
    try (WebClient browser = browser()) {
      HtmlForm form = form(page(browser, "/admin/51"), "/admin/51");
      form.getInputByName("price").setValue("1e3");
      form.getInputByName("design").setValue("-1");
      HtmlPage again = sent(form);
      assertEquals(400, again.getWebResponse().getStatusCode());
      HtmlForm right = form(again, "/admin/51");
      assertEquals("1e3", right.getInputByName("price").getValue());
      right.getInputByName("price").setValue("12.5");
      right.getInputByName("design").setValue("7");
      assertTrue(text(sent(right)).contains("$12.50"));
      HtmlPage book = page(browser, "/book/51");
      assertTrue(book.asXml().contains("/covers/large-51-7.svg"), book::asXml);
      assertEquals(200, status(browser, "/covers/large-51-7.svg"));
    }
  }

  @Test
  void listsAreThere() throws Exception {
    try (WebClient browser = browser()) {
      String subject = POPULATION.item(3).subject().name();
      assertTrue(text(page(browser, "/new?subject=" + subject)).contains(POPULATION.title(3)));
      assertTrue(page(browser, "/best?subject=" + subject).querySelectorAll(".best li").size() > 0);
      String word = POPULATION.title(3).split(" ", -1)[1].toLowerCase(Locale.ROOT);
      assertTrue(text(page(browser, "/search/results?text=" + word)).contains(POPULATION.title(3)));
    }
  }

  /** For people to look at: the pages as files beside the reports of tests. */
  @Test
  void pagesAreKept() throws Exception {
    Path kept = Files.createDirectories(Path.of("target", "pages"));
    try (WebClient browser = browser()) {
      for (String name : new String[] {"", "new", "best", "book/3", "search", "cart", "checkout"}) {
        Path file = kept.resolve((name.isEmpty() ? "home" : name.replace('/', '-')) + ".html");
        String html = page(browser, "/" + name).getWebResponse().getContentAsString();
        Files.writeString(file, html);
      }
    }
  }
}
