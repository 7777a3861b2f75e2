package org.ecstore.client.secret;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;

/**
 * What the nodes and operators of one cluster know and others do not. It never leaves a process: it
 * keys HMAC-SHA256 over what has to be proven (decision 0035). Immutable: any thread may call.
 */
public final class ClusterSecret {
  /** The least number of characters of one that is given as text. */
  public static final int TEXT_LENGTH_MIN = 32;

  /** Bytes of a proof, and of a challenge. */
  public static final int PROOF_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec key;

  private ClusterSecret(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /** One that no other cluster has. */
  public static ClusterSecret random() {
    return of(randomText());
  }

  /** The text of a fresh one, on one line. */
  public static String randomText() {
    return HexFormat.of().formatHex(challenge().array());
  }

  /**
   * The one that a text stands for, without white space around it.
   *
   * @throws WrongArgumentException if it is too short; the message does not hold it
   */
  public static ClusterSecret of(String text) {
    String stripped = text.strip();
    if (stripped.length() < TEXT_LENGTH_MIN) {
      throw new WrongArgumentException(
          "a secret has at least " + TEXT_LENGTH_MIN + " characters, not " + stripped.length(),
          null);
    }
    return new ClusterSecret(Bytes.utf8(stripped).array());
  }

  /** Random bytes that are asked about once. */
  public static Bytes challenge() {
    byte[] random = new byte[PROOF_BYTES];
    RANDOM.nextBytes(random);
    return Bytes.wrap(random);
  }

  /** HMAC-SHA256 of a message under this secret. */
  public Bytes proof(Bytes message) {
    return Bytes.wrap(keyed(key).doFinal(message.array()));
  }

  /** Whether two proofs are the same, in a time that does not depend on where they differ. */
  public static boolean same(Bytes one, Bytes other) {
    return MessageDigest.isEqual(one.array(), other.array());
  }

  /** HMAC-SHA256 under a key that was derived from this secret. One thread at a time. */
  public static Mac keyedBy(Bytes derived) {
    return keyed(new SecretKeySpec(derived.array(), ALGORITHM));
  }

  private static Mac keyed(SecretKeySpec key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "(a secret)";
  }
}
