package com.example.shop;

import org.ecstore.client.EcStore;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** A small shop. Property {@code shop.nodes}: addresses of the store's nodes. */
@SpringBootApplication
public class ShopApplication {
  /** One for the application; Spring closes it. */
  @Bean
  EcStore store(@Value("${shop.nodes:localhost}") String nodes) {
    return EcStore.connect(nodes);
  }

  public static void main(String[] arguments) {
    SpringApplication.run(ShopApplication.class, arguments);
  }
}
