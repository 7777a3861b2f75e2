package org.ecstore.bench.tpcw;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.ecstore.bookstore.BestSeller;
import org.ecstore.bookstore.Book;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.Checkout;
import org.ecstore.bookstore.Home;
import org.ecstore.bookstore.Product;
import org.ecstore.bookstore.Purchase;
import org.ecstore.bookstore.SearchBy;
import org.ecstore.bookstore.model.Cart;

/**
 * What pages ask the data for, without pages. Three of them ask for nothing: they only show a form
 * (search request, customer registration, order inquiry).
 */
final class DataPages implements ShopPages {
  private final Bookstore shop;
  private final Visitors visitors;
  private final BiConsumer<String, Long> told;
  private final Browsing browsing = new Browsing();

  /**
   * For one browser.
   *
   * @param told is given each form that bought, with the order's number
   */
  DataPages(Bookstore shop, Visitors visitors, BiConsumer<String, Long> told) {
    this.shop = shop;
    this.visitors = visitors;
    this.told = told;
  }

  @Override
  public void begin() {
    browsing.begin(visitors.who());
  }

  @Override
  public void open(Interaction page, Interaction from) throws Exception {
    switch (page) {
      case HOME -> home();
      case NEW_PRODUCTS -> browsing.lists(items(shop.newProducts(visitors.subject())));
      case BEST_SELLERS ->
          browsing.lists(
              items(shop.bestSellers(visitors.subject()).stream().map(BestSeller::book).toList()));
      case PRODUCT_DETAIL -> product(visitors.oneOf(browsing.listed()));
      case SEARCH_RESULTS -> search();
      case SHOPPING_CART -> cart(from);
      case BUY_REQUEST -> buyRequest();
      case BUY_CONFIRM -> buyConfirm();
      case ORDER_DISPLAY -> orderDisplay();
      case ADMIN_REQUEST -> product(visitors.looked(browsing));
      case ADMIN_CONFIRM -> adminConfirm();
      case CUSTOMER_REGISTRATION -> browsing.shows(UUID.randomUUID().toString());
      case SEARCH_REQUEST, ORDER_INQUIRY -> {}
    }
  }

  private static List<Long> items(List<Book> books) {
    return books.stream().map(Book::item).toList();
  }

  private void home() {
    OptionalLong who =
        browsing.customer().map(known -> OptionalLong.of(known.id())).orElse(OptionalLong.empty());
    Home home = shop.home(who, visitors.item());
    browsing.lists(items(home.promoted()));
  }

  private void product(long item) throws WrongPageException {
    Product product =
        shop.product(item).orElseThrow(() -> new WrongPageException("no book " + item));
    browsing.looksAt(product.item().id());
    browsing.shows(UUID.randomUUID().toString());
  }

  private void search() {
    List<Book> found =
        switch (visitors.random().nextInt(3)) {
          case 0 -> shop.search(SearchBy.TITLE, visitors.titleWord());
          case 1 -> shop.search(SearchBy.AUTHOR, visitors.lastName());
          default -> shop.search(visitors.subject());
        };
    browsing.lists(items(found));
  }

  private void cart(Interaction from) throws WrongPageException {
    Cart cart = cart(visitors.cartStep(from, browsing), from == Interaction.PRODUCT_DETAIL);
    if (cart.lines().isEmpty()) {
      throw new WrongPageException("the cart is empty");
    }
    browsing.shown(cart);
  }

  /** A form that adds a book only says that it was added: the cart is read then. */
  private Cart cart(Visitors.CartStep step, boolean isOfPage) {
    if (step.add().isPresent()) {
      shop.addToCart(browsing.sends(isOfPage), browsing.cart(), step.add().getAsLong());
    } else if (!step.quantities().isEmpty()) {
      return shop.changeCart(browsing.cart(), step.add(), step.quantities());
    }
    return shop.cart(browsing.cart());
  }

  private void buyRequest() {
    Checkout checkout =
        browsing
            .customer()
            .map(who -> shop.logIn(browsing.cart(), who.userName(), who.password()))
            .orElseGet(
                () -> shop.register(browsing.sends(true), browsing.cart(), visitors.newCustomer()));
    browsing.loggedIn(
        new Browsing.Who(
            checkout.customer().id(),
            checkout.customer().userName(),
            checkout.customer().password()),
        UUID.randomUUID().toString(),
        checkout.price().total());
  }

  private void buyConfirm() throws Exception {
    Purchase purchase =
        visitors.purchase(
            browsing, browsing.customer().orElseThrow().id(), LocalDate.now(ZoneOffset.UTC));
    SentForm form = new SentForm(() -> shop.buy(purchase), visitors.random());
    told.accept(purchase.submission(), form.order());
    browsing.bought();
  }

  private void orderDisplay() {
    Browsing.Who who = browsing.customer().orElseGet(visitors::customer);
    shop.lastOrder(who.userName(), who.password());
  }

  private void adminConfirm() {
    long item = visitors.looked(browsing);
    int picture = visitors.random().nextInt(1, 100);
    shop.changeItem(
        item,
        visitors.price(),
        "small-" + item + "-" + picture,
        "large-" + item + "-" + picture,
        LocalDate.now(ZoneOffset.UTC));
  }
}
