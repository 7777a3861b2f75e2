package org.ecstore.bookstore.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.ecstore.bookstore.Book;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.Product;
import org.ecstore.bookstore.SearchBy;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.BookSubject;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** Pages that look: home, lists, books and searches. */
@Controller
class BrowsingController {
  private static final int TEXT_MAX = 200;

  private final Bookstore shop;
  private final Cookies cookies;

  BrowsingController(Bookstore shop, Cookies cookies) {
    this.shop = shop;
    this.cookies = cookies;
  }

  @GetMapping("/")
  String home(HttpServletRequest request, Model model) {
    long near = ThreadLocalRandom.current().nextLong(1, shop.size().items() + 1);
    model.addAttribute("home", shop.home(cookies.customer(request), near));
    return "home";
  }

  @GetMapping("/new")
  String newProducts(
      @RequestParam(name = "subject", defaultValue = "ARTS") BookSubject subject, Model model) {
    model.addAttribute("subject", subject);
    model.addAttribute("books", shop.newProducts(subject));
    return "new";
  }

  @GetMapping("/best")
  String bestSellers(
      @RequestParam(name = "subject", defaultValue = "ARTS") BookSubject subject, Model model) {
    model.addAttribute("subject", subject);
    model.addAttribute("sellers", shop.bestSellers(subject));
    return "best";
  }

  @GetMapping("/book/{item}")
  String book(@PathVariable("item") long item, Model model) {
    Product product =
        shop.product(item).orElseThrow(() -> new NotThereException("There is no book " + item));
    model.addAttribute("product", product);
    model.addAttribute("form", UUID.randomUUID().toString());
    return "book";
  }

  @GetMapping("/search")
  String searchRequest() {
    return "search";
  }

  /** A subject is one of the list, whatever was typed. */
  @GetMapping("/search/results")
  String searchResults(
      @RequestParam(name = "by", defaultValue = "TITLE") String by,
      @RequestParam(name = "text", defaultValue = "") String text,
      Model model) {
    if (text.length() > TEXT_MAX) {
      throw new ShopException("a search has %d letters at most".formatted(TEXT_MAX));
    }
    List<Book> books =
        switch (by) {
          case "AUTHOR" -> shop.search(SearchBy.AUTHOR, text);
          case "SUBJECT" -> shop.search(subject(text));
          default -> shop.search(SearchBy.TITLE, text);
        };
    model.addAttribute("by", by);
    model.addAttribute("text", text);
    model.addAttribute("books", books);
    return "results";
  }

  private static BookSubject subject(String text) {
    try {
      return BookSubject.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw new ShopException("there is no subject of that name: choose one of the list");
    }
  }
}
