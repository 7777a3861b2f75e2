package com.example.shop;

import com.example.shop.Shop.Offer;
import com.example.shop.Shop.Order;
import com.example.shop.Shop.Orders;
import com.example.shop.Shop.Product;
import com.example.shop.Shop.ShopException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.client.EcStore;
import org.ecstore.client.error.EcStoreException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The shop over HTTP, in JSON. */
@RestController
public class ShopController {
  record Offered(String name, long cents, long stock) {}

  private final Shop shop;
  private final EcStore store;

  ShopController(Shop shop, EcStore store) {
    this.shop = shop;
    this.store = store;
  }

  @PutMapping("/products/{sku}")
  void offer(@PathVariable String sku, @RequestBody Offered offered) {
    shop.offer(sku, new Product(offered.name(), offered.cents()), offered.stock());
  }

  @GetMapping("/products")
  List<Offer> offers() {
    return shop.offers();
  }

  @PutMapping("/carts/{customer}/{sku}")
  void fill(
      @PathVariable String customer, @PathVariable String sku, @RequestParam long quantity) {
    shop.fill(customer, sku, quantity);
  }

  @GetMapping("/carts/{customer}")
  Map<String, Long> cart(@PathVariable String customer) {
    return shop.cart(customer);
  }

  @PostMapping("/carts/{customer}/order")
  Order order(@PathVariable String customer) {
    return shop.order(customer);
  }

  @GetMapping("/orders")
  Orders orders(
      @RequestParam Optional<String> customer,
      @RequestParam Optional<String> after,
      @RequestParam(defaultValue = "20") int limit) {
    return shop.orders(customer, after, limit);
  }

  @GetMapping("/status")
  Object status() {
    return store.status().nodes();
  }

  @ExceptionHandler
  ResponseEntity<Map<String, String>> refused(ShopException e) {
    return ResponseEntity.status(HttpStatus.CONFLICT).body(Map.of("error", e.getMessage()));
  }

  @ExceptionHandler
  ResponseEntity<Map<String, String>> failed(EcStoreException e) {
    HttpStatus status =
        switch (e.code()) {
          case WRONG_ARGUMENT, TOO_LARGE -> HttpStatus.BAD_REQUEST;
          case OVER_QUOTA -> HttpStatus.INSUFFICIENT_STORAGE;
          case CONFLICT, ALREADY_EXISTS -> HttpStatus.CONFLICT;
          case SNAPSHOT_TOO_OLD, CHANGES_LOST -> HttpStatus.GONE;
          case UNAVAILABLE, OVERLOADED, UNKNOWN_OUTCOME -> HttpStatus.SERVICE_UNAVAILABLE;
          case CLOSED, PROTOCOL -> HttpStatus.INTERNAL_SERVER_ERROR;
        };
    return ResponseEntity.status(status).body(Map.of("error", e.code().name(), "why", e.text()));
  }
}
