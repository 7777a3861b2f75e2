package org.ecstore.client.token;

import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32C;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.id.ReadPoint;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of sessions and snapshots, which an application may hand to another process: a point and
 * no more. Text that needs no escaping in a URL, with a version and a checksum against damage. Not
 * sealed: a point names no data and grants nothing, and the store checks every position that comes
 * from a client (rule 9). Tokens of pages have keys in them: {@link PageTokens}.
 */
public final class Tokens {
  private static final int VERSION = 1;
  private static final int CHECKSUM_BYTES = 4;

  private Tokens() {}

  public static String format(ReadPoint point) {
    WireWriter writer = new WireWriter().u8(VERSION).point(point);
    writer.i32(checksum(writer.toByteArray(), writer.length()));
    return text(writer.toByteArray());
  }

  /**
   * The point of a token.
   *
   * @throws WrongArgumentException if it is none
   */
  public static ReadPoint parse(String token) {
    byte[] bytes = bytes(token);
    int length = bytes.length - CHECKSUM_BYTES;
    if (length < 1
        || new WireReader(bytes, length, bytes.length).i32() != checksum(bytes, length)) {
      throw damaged(null);
    }
    try {
      WireReader reader = new WireReader(bytes, 0, length);
      int version = reader.u8();
      if (version != VERSION) {
        throw new WrongArgumentException(
            "the token is of another version", null, "version", version, "known", VERSION);
      }
      ReadPoint point = reader.point();
      reader.expectEnd();
      return point;
    } catch (MalformedMessageException e) {
      throw damaged(e);
    }
  }

  /** As text for a URL. */
  static String text(byte[] token) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /**
   * What {@link #text} was made of.
   *
   * @throws WrongArgumentException if it is no such text
   */
  static byte[] bytes(String token) {
    try {
      return Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      throw damaged(e);
    }
  }

  static WrongArgumentException damaged(@Nullable Throwable cause) {
    return new WrongArgumentException("the token is damaged, or none", cause);
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C sum = new CRC32C();
    sum.update(Arrays.copyOf(bytes, length));
    return (int) sum.getValue();
  }
}
