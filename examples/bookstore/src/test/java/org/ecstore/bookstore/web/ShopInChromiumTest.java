package org.ecstore.bookstore.web;

import static org.ecstore.bookstore.web.FilledShop.POPULATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.ecstore.bookstore.audit.Books;
import org.ecstore.bookstore.model.Customer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NoAlertPresentException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.interactions.Actions;

/**
 * The whole shop in Chromium, as people walk through it. Where there is no Chromium, each test says
 * on standard output that it has not looked.
 */
class ShopInChromiumTest {
  private static final Pattern NOTHING = Pattern.compile("(?!)");

  /** A form that is not taken is answered with this, and Chromium says so. */
  private static final Pattern REFUSED = Pattern.compile("status of 400");

  @TempDir private static Path directory = Path.of("");
  private static @Nullable FilledShop shop;
  private static Optional<Chromium> chromium = Optional.empty();

  @BeforeAll
  static void open() throws Exception {
    FilledShop opened = FilledShop.open(directory.resolve("store"));
    shop = opened;
    chromium = Chromium.start(directory.resolve("profile"), opened.root());
  }

  @AfterAll
  static void close() {
    chromium.ifPresent(Chromium::close);
    Objects.requireNonNull(shop).close();
  }

  private interface Walk {
    void in(Chromium browser) throws Exception;
  }

  /** Walks in a browser that knows of nothing before, whose pages complain of nothing else. */
  private static void walk(String what, Pattern expected, Walk walk) throws Exception {
    if (chromium.isEmpty()) {
      System.out.println(
          "NOT LOOKED AT in a real browser: "
              + what
              + ". There is no chromium with chromedriver on the PATH; Debian has them by"
              + " \"apt-get install chromium chromium-driver\".");
      return;
    }
    Chromium browser = chromium.get();
    browser.forget();
    walk.in(browser);
    browser.assertQuiet(expected);
  }

  private static int orders() {
    return Objects.requireNonNull(shop).data().ledger().orders().size();
  }

  private static void add(Chromium browser, long item) {
    browser.open("/book/" + item);
    browser.press("form[action='/cart/add'] button");
    browser.awaitPath("/cart");
  }

  private static void logIn(Chromium browser, Customer customer) {
    browser.open("/checkout");
    typeLogin(browser, customer);
  }

  private static void typeLogin(Chromium browser, Customer customer) {
    WebElement form = browser.one("form[action='/checkout/login']");
    form.findElement(By.name("userName")).sendKeys(customer.userName());
    form.findElement(By.name("password")).sendKeys(customer.password());
    form.findElement(By.tagName("button")).click();
    browser.awaitPath("/checkout/buy");
  }

  private static void typeCard(Chromium browser) {
    browser.type("cardNumber", "4111 1111 1111 1111");
    browser.type("cardHolder", "A Reader");
    // What a field of months takes differs by the browser's language; its value does not.
    browser.run("document.getElementsByName('cardExpires')[0].value = '2099-12'; return true");
  }

  private static final String BUY = "form[action='/checkout/confirm'] button.main";

  private static String order(Chromium browser) {
    browser.awaitPath("/order/confirmed/");
    return browser.path().substring("/order/confirmed/".length());
  }

  /** In the order in which a person sees them; what each looks like is kept. */
  @Test
  void fourteenPagesFromHomeToTheOrderAreGoodToUseOnAPhoneAndADesk() throws Exception {
    walk(
        "the fourteen pages from home to the order, on a phone and a desk",
        NOTHING,
        browser -> {
          browser.open("/");
          assertEquals(5, browser.all(".shelf li").size());
          browser.look("01-home");
          browser.open("/new?subject=" + POPULATION.item(3).subject().name());
          browser.look("02-new-products");
          browser.open("/best?subject=" + POPULATION.item(3).subject().name());
          browser.look("03-best-sellers");
          browser.open("/search");
          browser.look("04-search-request");
          browser.type("text", POPULATION.title(3).split(" ", -1)[1]);
          browser.press("main form button");
          browser.awaitPath("/search/results");
          browser.look("05-search-results");
          browser.press(".shelf a[href='/book/3']");
          browser.awaitPath("/book/3");
          browser.look("06-product-detail");
          browser.press("form[action='/cart/add'] button");
          browser.awaitPath("/cart");
          add(browser, 4);
          browser.look("07-shopping-cart");
          browser.press("button[value='checkout']");
          browser.awaitPath("/checkout");
          browser.look("08-customer-registration");
          register(browser);
          browser.awaitPath("/checkout/buy");
          browser.look("09-buy-request");
          String userName = browser.one("main p.quiet strong").getText();
          typeCard(browser);
          browser.press(BUY);
          String order = order(browser);
          browser.look("10-buy-confirm");
          browser.press("main a[href='/orders']");
          browser.awaitPath("/orders");
          browser.look("11-order-inquiry");
          assertEquals(
              userName,
              browser.one("main [name='userName']").getDomProperty("value"),
              "who has just bought need not type it");
          browser.type("password", userName.toLowerCase(Locale.ROOT));
          browser.press("form[action='/orders'] button");
          Awaitility.await().until(() -> browser.text().contains("Order " + order));
          assertTrue(browser.text().contains("•••• 1111"), browser::text);
          browser.look("12-order-display");
          browser.open("/admin/5");
          browser.look("13-admin-request");
          browser.type("design", "7");
          browser.press("form[action='/admin/5'] button");
          Awaitility.await().until(() -> browser.one("h1").getText().equals("Changed"));
          browser.look("14-admin-confirm");
          assertTrue(browser.asked().size() > 28, "the pages and their covers");
        });
    assertTrue(
        Books.check(
                Objects.requireNonNull(shop).data().ledger(),
                item -> POPULATION.stock(item).onHand(),
                Map.of())
            .right());
  }

  private static void register(Chromium browser) {
    Map.of(
            "firstName", "Zoë",
            "lastName", "O'Hara",
            "email", "zoe@example.com",
            "phone", "+47 22 00 00 00",
            "street1", "1 Road",
            "city", "Oslo",
            "zip", "0150")
        .forEach(browser::type);
    browser.run("document.getElementsByName('born')[0].value = '1990-12-31'; return true");
    browser.press("form[action='/checkout/register'] button");
  }

  @Test
  void pagesThatSayWhatIsWrongAreGoodToUseToo() throws Exception {
    walk(
        "pages that say what is wrong",
        Pattern.compile("status of 40[04]"),
        browser -> {
          browser.open("/cart");
          browser.look("21-empty-cart");
          browser.open("/search/results?text=qqqq");
          browser.look("22-nothing-found");
          browser.open("/nothing");
          browser.look("23-no-such-page");
          browser.open("/checkout");
          browser.one("form[action='/checkout/login'] [name='userName']").sendKeys("XX");
          browser.one("form[action='/checkout/login'] [name='password']").sendKeys("y");
          browser.press("form[action='/checkout/login'] button");
          browser.awaitPath("/checkout/login");
          browser.look("24-wrong-login");
          add(browser, 6);
          logIn(browser, POPULATION.customer(20));
          typeCard(browser);
          browser.type("cardNumber", "1");
          browser.press(BUY);
          browser.awaitPath("/checkout/confirm");
          browser.look("25-wrong-card");
        });
  }

  @Test
  void aDoubleClickBuysOnce() throws Exception {
    walk(
        "a double click on the button that buys",
        NOTHING,
        browser -> {
          int before = orders();
          add(browser, 11);
          logIn(browser, POPULATION.customer(8));
          typeCard(browser);
          new Actions(browser.driver()).doubleClick(browser.one(BUY)).perform();
          order(browser);
          assertEquals(before + 1, orders());
          assertEquals(0, browser.all(".error").size());
        });
  }

  @Test
  void theBackButtonBuysNothingMore() throws Exception {
    walk(
        "the back button after a purchase",
        REFUSED,
        browser -> {
          int before = orders();
          add(browser, 12);
          logIn(browser, POPULATION.customer(9));
          typeCard(browser);
          browser.run("document.forms[document.forms.length - 1].dataset.seen = 1; return true");
          String submission =
              Objects.requireNonNull(
                  browser.one("[name='submission']").getDomProperty("value"), "submission");
          String total =
              Objects.requireNonNull(
                  browser.one("[name='total']").getDomProperty("value"), "total");
          browser.press(BUY);
          String order = order(browser);
          browser.driver().navigate().back();
          browser.awaitPath("/checkout/buy");
          // No page is kept by the browser: what comes is what there is to buy now.
          assertTrue(browser.text().contains("Your cart is empty"), browser::text);
          assertEquals(0, browser.all(BUY).size());
          // A browser that keeps it sends the same form again.
          add(browser, 13);
          browser.open("/checkout/buy");
          typeCard(browser);
          browser.run(
              "document.getElementsByName('submission')[0].value = arguments[0];"
                  + "document.getElementsByName('total')[0].value = arguments[1]; return true",
              submission,
              total);
          browser.press(BUY);
          assertEquals(order, order(browser));
          assertEquals(before + 1, orders());
          browser.driver().navigate().refresh();
          assertEquals(order, order(browser));
          assertEquals(before + 1, orders());
        });
  }

  @Test
  void twoTabsHaveOneCartAndBuyWhatTheyShow() throws Exception {
    walk(
        "two tabs with one cart",
        REFUSED,
        browser -> {
          int before = orders();
          add(browser, 21);
          logIn(browser, POPULATION.customer(10));
          typeCard(browser);
          String first = browser.driver().getWindowHandle();
          browser.driver().switchTo().newWindow(WindowType.TAB);
          add(browser, 22);
          assertTrue(browser.text().contains(POPULATION.title(21)), browser::text);
          assertTrue(browser.text().contains(POPULATION.title(22)), browser::text);
          browser.driver().switchTo().window(first);
          browser.press(BUY);
          browser.awaitPath("/checkout/confirm");
          assertTrue(browser.text().contains("cart has changed meanwhile"), browser::text);
          assertTrue(browser.text().contains(POPULATION.title(22)), browser::text);
          assertEquals(before, orders());
          browser.press(BUY);
          order(browser);
          assertEquals(before + 1, orders());
        });
  }

  @Test
  void anExpiredSessionAsksForTheLoginAndKeepsTheCart() throws Exception {
    walk(
        "a session that is over",
        NOTHING,
        browser -> {
          int before = orders();
          add(browser, 31);
          logIn(browser, POPULATION.customer(11));
          typeCard(browser);
          browser.driver().manage().deleteCookieNamed("login");
          browser.press(BUY);
          browser.awaitPath("/checkout/confirm");
          assertTrue(browser.text().contains("Log in again"), browser::text);
          browser.look("26-session-is-over");
          typeLogin(browser, POPULATION.customer(11));
          assertTrue(browser.text().contains(POPULATION.title(31)), browser::text);
          typeCard(browser);
          browser.press(BUY);
          order(browser);
          assertEquals(before + 1, orders());
        });
  }

  @Test
  void withAllCookiesGoneItSaysThatTheCartIsToo() throws Exception {
    walk(
        "a browser that has lost its cookies",
        NOTHING,
        browser -> {
          int before = orders();
          add(browser, 32);
          logIn(browser, POPULATION.customer(12));
          typeCard(browser);
          browser.driver().manage().deleteAllCookies();
          browser.press(BUY);
          browser.awaitPath("/checkout/confirm");
          assertTrue(browser.text().contains("begin again"), browser::text);
          assertFalse(browser.text().contains("is kept"), browser::text);
          assertEquals(before, orders());
        });
  }

  @Test
  void whoLogsOutLeavesNoTraceButTheCart() throws Exception {
    walk(
        "logging out",
        NOTHING,
        browser -> {
          Customer customer = POPULATION.customer(13);
          browser.open("/");
          assertEquals(0, browser.all("form[action='/logout']").size());
          add(browser, 33);
          logIn(browser, customer);
          assertTrue(browser.text().contains(customer.userName()), browser::text);
          browser.press("header form[action='/logout'] button");
          browser.awaitPath("/logout");
          assertTrue(browser.text().contains("You are logged out"), browser::text);
          browser.look("27-logged-out");
          browser.driver().navigate().back();
          browser.awaitPath("/checkout");
          assertFalse(browser.text().contains(customer.userName()), browser::text);
          assertFalse(browser.text().contains(customer.lastName()), browser::text);
          browser.open("/cart");
          assertTrue(browser.text().contains(POPULATION.title(33)), browser::text);
        });
  }

  @Test
  void aScriptInTheSearchBoxIsShownAndDoesNotRun() throws Exception {
    String script =
        "<script>document.title='ran'</script><img src=x onerror=\"document.title='ran'\">";
    walk(
        "a script in the search box",
        NOTHING,
        browser -> {
          browser.open("/");
          browser.one("#find").sendKeys(script, Keys.ENTER);
          browser.awaitPath("/search/results");
          assertTrue(browser.text().contains(script), browser::text);
          assertEquals(List.of(), browser.all("script"));
          assertEquals(List.of(), browser.all("main img[src=x]"));
          assertNotEquals("ran", browser.driver().getTitle());
          assertThrows(
              NoAlertPresentException.class, () -> browser.driver().switchTo().alert().dismiss());
          assertEquals(script, browser.one("#find").getDomProperty("value"));
        });
  }

  @Test
  void theKeyboardReachesAllAndShowsWhereItIs() throws Exception {
    walk(
        "a book bought into the cart by the keyboard alone",
        NOTHING,
        browser -> {
          browser.open("/book/41");
          new Actions(browser.driver()).sendKeys(Keys.TAB).perform();
          WebElement skip = browser.driver().switchTo().activeElement();
          assertEquals("Skip to the content", skip.getText());
          assertTrue(skip.getLocation().getX() >= 0, "it is seen once it has the focus");
          new Actions(browser.driver()).sendKeys(Keys.ENTER).perform();
          for (int tab = 0; !focused(browser).equals("Add to cart"); tab++) {
            assertTrue(tab < 5, focused(browser));
            new Actions(browser.driver()).sendKeys(Keys.TAB).perform();
            assertNotEquals(
                "none",
                browser.run("return getComputedStyle(document.activeElement).outlineStyle"));
          }
          new Actions(browser.driver()).sendKeys(Keys.ENTER).perform();
          browser.awaitPath("/cart");
          assertTrue(browser.text().contains(POPULATION.title(41)), browser::text);
        });
  }

  private static String focused(Chromium browser) {
    return browser.driver().switchTo().activeElement().getText();
  }
}
