package org.ecstore.bench.tpcw;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.bookstore.NewCustomer;
import org.ecstore.bookstore.Purchase;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.CartLine;
import org.ecstore.bookstore.web.Signature;

/** The shop's pages over HTTP: what comes next is taken from the links and forms on them. */
final class HtmlPages implements ShopPages {
  private static final Pattern BOOK = Pattern.compile("href=\"/book/(\\d+)\"");
  private static final Pattern LINE = Pattern.compile("name=\"q-(\\d+)\" value=\"(\\d+)\"");
  private static final Pattern FORM = Pattern.compile("name=\"submission\" value=\"([^\"]+)\"");
  private static final Pattern NUMBER = Pattern.compile("name=\"form\" value=\"([^\"]+)\"");
  private static final Pattern TOTAL = Pattern.compile("name=\"total\" value=\"(\\d+)\"");
  private static final Pattern USER_NAME = Pattern.compile("user name is <strong>([A-Z]+)<");
  private static final String CONFIRMED = "/order/confirmed/";

  /** What the first page says to a customer that it knows. */
  private static final String GREETING = "Welcome back, ";

  /** Longer than any session. */
  private static final Duration LOGIN_KEPT = Duration.ofHours(2);

  private final PageBrowser browser;
  private final Visitors visitors;
  private final Signature signature;
  private final BiConsumer<String, Long> told;
  private final Browsing browsing = new Browsing();

  /**
   * For one browser.
   *
   * @param signature by which the shop knows who has logged in
   * @param told is given each form that bought, with the order's number
   */
  HtmlPages(
      PageBrowser browser, Visitors visitors, Signature signature, BiConsumer<String, Long> told) {
    this.browser = browser;
    this.visitors = visitors;
    this.signature = signature;
    this.told = told;
  }

  /** One who was here before has the cookie of that time, and the first page greets by name. */
  @Override
  public void begin() {
    browser.forget();
    Optional<Browsing.Who> who = visitors.who();
    browsing.begin(who);
    who.ifPresent(
        known ->
            browser.has(
                Signature.LOGIN_COOKIE,
                signature.sealed(known.id(), Instant.now().plus(LOGIN_KEPT))));
  }

  @Override
  public void open(Interaction page, Interaction from) throws Exception {
    switch (page) {
      case HOME -> home();
      case NEW_PRODUCTS -> lists(browser.get("/new?subject=" + visitors.subject().name()));
      case BEST_SELLERS -> lists(browser.get("/best?subject=" + visitors.subject().name()));
      case PRODUCT_DETAIL -> product(visitors.oneOf(browsing.listed()));
      case SEARCH_REQUEST -> browser.get("/search");
      case SEARCH_RESULTS -> lists(browser.get(search()));
      case SHOPPING_CART -> cart(from);
      case CUSTOMER_REGISTRATION -> browsing.shows(found(NUMBER, browser.get("/checkout")));
      case BUY_REQUEST -> buyRequest();
      case BUY_CONFIRM -> buyConfirm();
      case ORDER_INQUIRY -> browser.get("/orders");
      case ORDER_DISPLAY -> orderDisplay();
      case ADMIN_REQUEST -> browser.get("/admin/" + visitors.looked(browsing));
      case ADMIN_CONFIRM -> adminConfirm();
    }
  }

  private void home() throws IOException, InterruptedException, WrongPageException {
    PageBrowser.Loaded page = browser.get("/");
    boolean isGreeted = page.html().contains(GREETING);
    if (isGreeted != browsing.customer().isPresent()) {
      throw new WrongPageException(
          isGreeted
              ? "the first page greets a stranger"
              : "the first page does not know who it is");
    }
    lists(page);
  }

  private void lists(PageBrowser.Loaded page) {
    Set<Long> books = new LinkedHashSet<>();
    Matcher links = BOOK.matcher(page.html());
    while (links.find()) {
      books.add(Long.parseLong(links.group(1)));
    }
    browsing.lists(List.copyOf(books));
  }

  private void product(long item) throws IOException, InterruptedException, WrongPageException {
    browsing.shows(found(NUMBER, browser.get("/book/" + item)));
    browsing.looksAt(item);
  }

  private String search() {
    return switch (visitors.random().nextInt(3)) {
      case 0 -> "/search/results?by=TITLE&text=" + PageBrowser.encoded(visitors.titleWord());
      case 1 -> "/search/results?by=AUTHOR&text=" + PageBrowser.encoded(visitors.lastName());
      default -> "/search/results?by=SUBJECT&text=" + visitors.subject().name();
    };
  }

  private void cart(Interaction from) throws IOException, InterruptedException, WrongPageException {
    Visitors.CartStep step = visitors.cartStep(from, browsing);
    PageBrowser.Loaded page;
    if (step.add().isPresent()) {
      String item = Long.toString(step.add().getAsLong());
      String number = browsing.sends(from == Interaction.PRODUCT_DETAIL);
      page = browser.post("/cart/add", Map.of("item", item, "form", number));
    } else if (!step.quantities().isEmpty()) {
      Map<String, String> form = new LinkedHashMap<>();
      step.quantities().forEach((item, quantity) -> form.put("q-" + item, Long.toString(quantity)));
      page = browser.post("/cart", form);
    } else {
      page = browser.get("/cart");
    }
    List<CartLine> lines = new ArrayList<>();
    Matcher found = LINE.matcher(page.html());
    while (found.find()) {
      long item = Long.parseLong(found.group(1));
      lines.add(new CartLine(item, "", "", Long.parseLong(found.group(2)), 0, 0));
    }
    if (lines.isEmpty()) {
      throw new WrongPageException("the cart is empty");
    }
    browsing.shown(new Cart(Instant.EPOCH, lines));
  }

  private void buyRequest() throws IOException, InterruptedException, WrongPageException {
    PageBrowser.Loaded page =
        browsing.customer().isPresent()
            ? browser.post("/checkout/login", login(browsing.customer().get()))
            : browser.post("/checkout/register", registration(visitors.newCustomer()));
    String userName = found(USER_NAME, page);
    browsing.loggedIn(
        new Browsing.Who(0, userName, userName.toLowerCase(Locale.ROOT)),
        found(FORM, page),
        Long.parseLong(found(TOTAL, page)));
  }

  private static String found(Pattern pattern, PageBrowser.Loaded page) throws WrongPageException {
    Matcher matcher = pattern.matcher(page.html());
    if (!matcher.find()) {
      throw new WrongPageException(page.path() + " came, and it is another page");
    }
    return matcher.group(1);
  }

  private static Map<String, String> login(Browsing.Who who) {
    return Map.of("userName", who.userName(), "password", who.password());
  }

  private Map<String, String> registration(NewCustomer customer) {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("form", browsing.sends(true));
    form.put("firstName", customer.firstName());
    form.put("lastName", customer.lastName());
    form.put("phone", customer.phone());
    form.put("email", customer.email());
    form.put("born", customer.born().toString());
    form.put("data", customer.data());
    form.putAll(fields(customer.address()));
    return form;
  }

  private static Map<String, String> fields(Address address) {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("street1", address.street1());
    form.put("street2", address.street2());
    form.put("city", address.city());
    form.put("state", address.state());
    form.put("zip", address.zip());
    form.put("country", Integer.toString(address.country()));
    return form;
  }

  private void buyConfirm() throws Exception {
    Purchase purchase = visitors.purchase(browsing, 0, LocalDate.now(ZoneOffset.UTC));
    Map<String, String> form = new LinkedHashMap<>();
    form.put("submission", purchase.submission());
    form.put("total", Long.toString(browsing.total()));
    form.put("cardType", purchase.cardType().name());
    form.put("cardNumber", purchase.cardNumber());
    form.put("cardHolder", purchase.cardHolder());
    form.put("cardExpires", YearMonth.from(purchase.cardExpires()).toString());
    form.put("shipType", purchase.shipType().name());
    purchase.shipTo().ifPresent(address -> form.putAll(fields(address)));
    SentForm sent = new SentForm(() -> confirmed(form), visitors.random());
    told.accept(purchase.submission(), sent.order());
    browsing.bought();
  }

  private long confirmed(Map<String, String> form)
      throws IOException, InterruptedException, WrongPageException {
    String path = browser.post("/checkout/confirm", form).path();
    if (!path.startsWith(CONFIRMED)) {
      throw new WrongPageException(path + " came, and it confirms nothing");
    }
    return Long.parseLong(path.substring(CONFIRMED.length()));
  }

  private void orderDisplay() throws IOException, InterruptedException, WrongPageException {
    browser.post("/orders", login(browsing.customer().orElseGet(visitors::customer)));
  }

  private void adminConfirm() throws IOException, InterruptedException, WrongPageException {
    long cents = visitors.price();
    browser.post(
        "/admin/" + visitors.looked(browsing),
        Map.of(
            "price",
            "%d.%02d".formatted(cents / 100, cents % 100),
            "design",
            Integer.toString(visitors.random().nextInt(1, 100))));
  }
}
