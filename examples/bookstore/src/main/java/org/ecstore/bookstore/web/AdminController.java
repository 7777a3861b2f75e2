package org.ecstore.bookstore.web;

import jakarta.servlet.http.HttpServletResponse;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.Product;
import org.ecstore.bookstore.ShopException;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Changes books: their price and their cover. As in TPC-W it asks for no login, which a shop with
 * people in it would.
 */
@Controller
class AdminController {
  private static final int DESIGN_MAX = 999_999_999;

  /** No exponents: of a number of ten million digits each digit would be computed. */
  private static final Pattern PRICE = Pattern.compile("[0-9]{1,8}(?:\\.[0-9]{1,2})?");

  private final Bookstore shop;

  AdminController(Bookstore shop) {
    this.shop = shop;
  }

  @GetMapping("/admin/{item}")
  String request(@PathVariable("item") long item, Model model) {
    Product product =
        shop.product(item).orElseThrow(() -> new NotThereException("There is no book " + item));
    model.addAttribute("product", product);
    return "admin";
  }

  @PostMapping("/admin/{item}")
  String confirm(
      @PathVariable("item") long item,
      @RequestParam(name = "price", defaultValue = "") String price,
      @RequestParam(name = "design", defaultValue = "0") String design,
      HttpServletResponse response,
      Model model) {
    try {
      String picture = item + "-" + design(design);
      model.addAttribute(
          "item",
          shop.changeItem(
              item,
              cents(price),
              "small-" + picture,
              "large-" + picture,
              LocalDate.now(ZoneOffset.UTC)));
      return "changed";
    } catch (ShopException e) {
      response.setStatus(HttpStatus.BAD_REQUEST.value());
      model.addAttribute("error", e.getMessage());
      model.addAttribute("price", price);
      model.addAttribute("design", design);
      return request(item, model);
    }
  }

  private static int design(String text) {
    try {
      int design = Integer.parseInt(text.strip());
      if (design >= 0 && design <= DESIGN_MAX) {
        return design;
      }
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw new ShopException("A design is a number from 0 to " + DESIGN_MAX);
  }

  private static long cents(String text) {
    String given = text.strip();
    if (!PRICE.matcher(given).matches()) {
      throw new ShopException("A price is in dollars and cents, as 12.50");
    }
    return new BigDecimal(given).movePointRight(2).longValueExact();
  }
}
