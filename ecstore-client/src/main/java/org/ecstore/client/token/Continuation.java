package org.ecstore.client.token;

import java.util.Optional;
import java.util.zip.CRC32C;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.wire.WireWriter;

/**
 * Where a scan stopped: its snapshot and the last key returned. As a token it is sealed, and
 * carries a checksum of the scan's range and direction, so that it is not taken for one of another
 * scan by mistake. It grants nothing: the rest is always cut from the range of the scan that
 * resumes.
 */
public record Continuation(ReadPoint point, Optional<Bytes> last) {
  /**
   * What a token belongs to.
   *
   * @param reverse whether it is read from the greatest key to the least
   * @param back whether that is to go back in a scan of the other direction
   */
  public record Scope(KeyRange keys, boolean reverse, boolean back) {
    public Scope(KeyRange keys, boolean reverse) {
      this(keys, reverse, false);
    }

    int checksum() {
      WireWriter text = new WireWriter().range(keys).bool(reverse);
      CRC32C sum = new CRC32C();
      sum.update((back ? text.bool(true) : text).toByteArray());
      return (int) sum.getValue();
    }

    /** What is left of the scan behind a key, absent if nothing is. */
    public Optional<KeyRange> rest(Optional<Bytes> last) {
      if (last.isEmpty()) {
        return Optional.of(keys);
      }
      if (reverse) {
        return last.get().equals(keys.start())
            ? Optional.empty()
            : Optional.of(KeyRange.of(keys.start(), last.get()));
      }
      Bytes next = last.get().successor();
      return keys.isBelowEnd(next)
          ? Optional.of(KeyRange.between(next, keys.end()))
          : Optional.empty();
    }
  }

  /** Whether a token is of such a scan. */
  public static boolean isOf(String token, Scope scope, PageTokens tokens) {
    return tokens.parse(token).scope() == scope.checksum();
  }

  public static Continuation parse(String token, Scope scope, PageTokens tokens) {
    PageTokens.Content content = tokens.parse(token);
    if (content.scope() != scope.checksum()) {
      throw new WrongArgumentException(
          "the token is of a scan of another range or direction", null);
    }
    content.last().ifPresent(BytesTransaction::checkKey);
    if (content.last().isPresent() && !scope.keys().contains(content.last().get())) {
      throw new WrongArgumentException("the token leads out of the scan's range", null);
    }
    return new Continuation(content.point(), content.last());
  }

  public String format(Scope scope, PageTokens tokens) {
    return tokens.format(new PageTokens.Content(point, scope.checksum(), last));
  }
}
