package org.ecstore.bookstore.web;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.OptionalLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Signs who has logged in and until when, so that no browser can say that it is another. */
public final class Signature {
  /** The name of the cookie that says it. */
  public static final String LOGIN_COOKIE = "login";

  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;

  private final SecretKeySpec key;

  private Signature(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /**
   * By a key.
   *
   * @param text of it in Base64; null for one of this process
   */
  public static Signature by(@Nullable String text) {
    if (text == null) {
      byte[] random = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(random);
      return new Signature(random);
    }
    byte[] given = Base64.getDecoder().decode(text);
    if (given.length < KEY_BYTES) {
      throw new IllegalArgumentException(
          "bookstore.key has %d bytes: make one of 32 by \"openssl rand -base64 32\""
              .formatted(given.length));
    }
    return new Signature(given);
  }

  /** As a cookie has it. */
  public String sealed(long customer, Instant until) {
    String said = customer + "." + until.toEpochMilli();
    return said + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(mac(said));
  }

  /** Who it is; absent if this has not signed it, or if it is over. */
  OptionalLong opened(String sealed, Instant now) {
    String[] parts = sealed.split("\\.", -1);
    if (parts.length != 3) {
      return OptionalLong.empty();
    }
    try {
      byte[] mac = Base64.getUrlDecoder().decode(parts[2]);
      boolean ours = MessageDigest.isEqual(mac, mac(parts[0] + "." + parts[1]));
      return ours && Long.parseLong(parts[1]) > now.toEpochMilli()
          ? OptionalLong.of(Long.parseLong(parts[0]))
          : OptionalLong.empty();
    } catch (IllegalArgumentException _) {
      return OptionalLong.empty();
    }
  }

  /** What the buyer of an order has in the address of the page that confirms it. */
  String proof(long order, long customer) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(mac(bought(order, customer)));
  }

  /** Whether a proof is of this order and customer. */
  boolean proves(String proof, long order, long customer) {
    return MessageDigest.isEqual(
        proof.getBytes(StandardCharsets.UTF_8),
        proof(order, customer).getBytes(StandardCharsets.UTF_8));
  }

  /** No login reads like it. */
  private static String bought(long order, long customer) {
    return "order " + order + " of " + customer;
  }

  private byte[] mac(String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + ALGORITHM, e);
    }
  }
}
