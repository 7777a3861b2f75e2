package org.ecstore.client;

import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * Tokens that an application may hand to another process: a point and, of a scan, where it stopped.
 * Text that needs no escaping in a URL, with a version and a checksum against damage. Not signed: a
 * token grants nothing, and the store checks every position that comes from a client (rule 9).
 */
final class Tokens {
  private static final int VERSION = 1;
  private static final int CHECKSUM_BYTES = 4;

  private Tokens() {}

  /** What a token says. The last two are of a scan only. */
  record Content(ReadPoint point, Optional<Integer> scope, Optional<Bytes> last) {}

  static String format(ReadPoint point) {
    return format(new Content(point, Optional.empty(), Optional.empty()));
  }

  static String format(Content content) {
    WireWriter writer =
        new WireWriter()
            .u8(VERSION)
            .point(content.point())
            .optional(content.scope(), WireWriter::i32)
            .optional(content.last(), WireWriter::bytes);
    writer.i32(checksum(writer.toByteArray(), writer.length()));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(writer.toByteArray());
  }

  /**
   * What a token says.
   *
   * @throws WrongArgumentException if it is none
   */
  static Content parse(String token) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(token);
      int length = bytes.length - CHECKSUM_BYTES;
      if (length < 1
          || new WireReader(bytes, length, bytes.length).i32() != checksum(bytes, length)) {
        throw new WrongArgumentException("the token is damaged, or none", null);
      }
      WireReader reader = new WireReader(bytes, 0, length);
      int version = reader.u8();
      if (version != VERSION) {
        throw new WrongArgumentException(
            "the token is of another version", null, "version", version, "known", VERSION);
      }
      Content content =
          new Content(
              reader.point(), reader.optional(WireReader::i32), reader.optional(WireReader::bytes));
      reader.expectEnd();
      return content;
    } catch (IllegalArgumentException | MalformedMessageException e) {
      throw new WrongArgumentException("the token is damaged, or none", e);
    }
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C sum = new CRC32C();
    sum.update(Arrays.copyOf(bytes, length));
    return (int) sum.getValue();
  }
}
