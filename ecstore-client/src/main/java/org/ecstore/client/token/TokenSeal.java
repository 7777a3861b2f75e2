package org.ecstore.client.token;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts tokens so that their holder learns nothing of them but their length, in steps of 16
 * bytes, and whether two are equal, and so that what was changed is refused (decision 0042).
 *
 * <p>The way of SIV (RFC 5297) with the parts that every JDK has: the first 16 bytes of
 * HMAC-SHA-256 over the padded text are both its tag and the initial counter of AES-256-CTR, so
 * that there is no nonce to repeat. Both keys are derived from the given one. Safe for use by
 * several threads.
 */
public final class TokenSeal {
  /** Of a key; it should be random. */
  public static final int KEY_BYTES_MIN = 16;

  private static final int TAG_BYTES = 16;
  private static final int BLOCK_BYTES = 16;
  private static final byte END = (byte) 0x80;

  /** As many threads at once find one that is made. */
  private static final int IDLE_MAX = 64;

  private final SecretKeySpec tagKey;
  private final SecretKeySpec cipherKey;

  /** Those of which no thread has need now: to make one takes longer than what it does. */
  private final Queue<Engines> idle = new ArrayBlockingQueue<>(IDLE_MAX);

  /** For one thread at a time. */
  private record Engines(Mac mac, Cipher cipher) {}

  /** A seal whose key is of {@link #KEY_BYTES_MIN} bytes or more. */
  TokenSeal(byte[] key) {
    SecretKeySpec given = new SecretKeySpec(key, "HmacSHA256");
    tagKey = new SecretKeySpec(derived(given, "ecStore page token: tag"), "HmacSHA256");
    cipherKey = new SecretKeySpec(derived(given, "ecStore page token: cipher"), "AES");
  }

  private static byte[] derived(SecretKeySpec key, String use) {
    try {
      return mac(key).doFinal(use.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw unknown(e);
    }
  }

  private static Mac mac(SecretKeySpec key) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(key);
    return mac;
  }

  private static IllegalStateException unknown(GeneralSecurityException cause) {
    return new IllegalStateException(
        "every JDK has HMAC-SHA-256 and AES in counter mode: " + cause.getMessage(), cause);
  }

  /** The sealed form of a text. */
  byte[] seal(byte[] text) {
    byte[] padded = Arrays.copyOf(text, (text.length / BLOCK_BYTES + 1) * BLOCK_BYTES);
    padded[text.length] = END;
    byte[] tag = tag(padded);
    byte[] sealed = Arrays.copyOf(tag, TAG_BYTES + padded.length);
    System.arraycopy(ciphered(tag, padded), 0, sealed, TAG_BYTES, padded.length);
    return sealed;
  }

  /** The text of a sealed form; absent if it was not sealed with this key, or changed since. */
  Optional<byte[]> open(byte[] sealed) {
    if (sealed.length < TAG_BYTES + BLOCK_BYTES) {
      return Optional.empty();
    }
    byte[] tag = Arrays.copyOf(sealed, TAG_BYTES);
    // In the counter mode deciphering is ciphering.
    byte[] padded = ciphered(tag, Arrays.copyOfRange(sealed, TAG_BYTES, sealed.length));
    if (!MessageDigest.isEqual(tag, tag(padded))) {
      return Optional.empty();
    }
    int end = padded.length - 1;
    while (end > 0 && padded[end] == 0) {
      end--;
    }
    return Optional.of(Arrays.copyOf(padded, end));
  }

  private byte[] tag(byte[] padded) {
    return Arrays.copyOf(with(engines -> engines.mac.doFinal(padded)), TAG_BYTES);
  }

  private byte[] ciphered(byte[] counter, byte[] text) {
    return with(
        engines -> {
          engines.cipher.init(Cipher.ENCRYPT_MODE, cipherKey, new IvParameterSpec(counter));
          return engines.cipher.doFinal(text);
        });
  }

  private interface Step {
    byte[] run(Engines engines) throws GeneralSecurityException;
  }

  /** What has failed is not used again. */
  private byte[] with(Step step) {
    try {
      Engines engines = idle.poll();
      if (engines == null) {
        engines = new Engines(mac(tagKey), Cipher.getInstance("AES/CTR/NoPadding"));
      }
      byte[] result = step.run(engines);
      var unused = idle.offer(engines);
      return result;
    } catch (GeneralSecurityException e) {
      throw unknown(e);
    }
  }
}
