package com.example.accounts;

import com.example.accounts.Accounts.TooLittleException;
import java.util.Map;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Accounts over HTTP. */
@RestController
public class AccountsController {
  private final Accounts accounts;

  public AccountsController(Accounts accounts) {
    this.accounts = accounts;
  }

  @PostMapping("/accounts/{account}")
  long pay(@PathVariable("account") String account, @RequestParam("amount") long amount) {
    return accounts.pay(account, amount);
  }

  @PostMapping("/moves")
  void move(
      @RequestParam("from") String from,
      @RequestParam("to") String to,
      @RequestParam("amount") long amount) {
    accounts.move(from, to, amount);
  }

  @GetMapping("/accounts/{account}")
  ResponseEntity<Long> balance(@PathVariable("account") String account) {
    return ResponseEntity.of(accounts.balance(account));
  }

  @GetMapping("/accounts")
  Map<String, Long> all() {
    return accounts.all();
  }

  @ExceptionHandler
  ResponseEntity<String> refused(TooLittleException e) {
    return ResponseEntity.status(HttpStatus.CONFLICT).body(e.getMessage());
  }

  /** Nothing was done: a client may ask again. */
  @ExceptionHandler
  ResponseEntity<String> later(TransientDataAccessException e) {
    return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).body("try again later");
  }
}
