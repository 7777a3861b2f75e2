package com.example.accounts;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Accounts over HTTP. Property {@code ecstore.nodes}: addresses of the store's nodes. */
@SpringBootApplication
public class AccountsApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(AccountsApplication.class, arguments);
  }
}
