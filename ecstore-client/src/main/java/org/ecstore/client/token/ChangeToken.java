package org.ecstore.client.token;

import java.util.Optional;
import java.util.zip.CRC32C;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.KeyRange;
import org.ecstore.wire.WireWriter;

/**
 * How far a reader of a table's changes has come, as a token: sealed as pages are, so that one of
 * another store or another table is refused.
 */
public final class ChangeToken {
  private ChangeToken() {}

  /** Of a reader that has taken all commits up to a position. */
  public static String format(Position after, KeyRange keys, PageTokens tokens) {
    return tokens.format(
        new PageTokens.Content(
            new ReadPoint(after, MapVersion.ZERO), scope(keys), Optional.empty()));
  }

  /**
   * Up to which position its reader has taken all commits.
   *
   * @throws WrongArgumentException if it is no token of the changes to these keys
   */
  public static Position parse(String token, KeyRange keys, PageTokens tokens) {
    PageTokens.Content content;
    try {
      content = tokens.parse(token);
    } catch (WrongArgumentException e) {
      throw new WrongArgumentException(
          "no token of changes, or damaged, or of another store: take that of a commit or a reader",
          e);
    }
    if (content.scope() != scope(keys)) {
      throw new WrongArgumentException("the token is not of the changes of this table", null);
    }
    return content.point().position();
  }

  /** Tells the changes of a table from those of others, and from its pages. */
  public static int scope(KeyRange keys) {
    CRC32C sum = new CRC32C();
    sum.update(new WireWriter().range(keys).text("changes").toByteArray());
    return (int) sum.getValue();
  }
}
