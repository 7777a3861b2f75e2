package org.ecstore.client.token;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.ClientTime;
import org.ecstore.client.routing.OneForAll;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * Tokens for a browser to keep: of pages, sealed since there is a key of the table in each; and of
 * sessions, sealed so that no browser can make another. The seal's key is the store's own unless
 * the application gives one; it is asked for with the first token. Safe for use by several threads.
 */
public final class PageTokens {
  /** Before what is sealed; {@link Tokens} have another number there. */
  private static final byte VERSION = 2;

  private static final byte SESSION_VERSION = 3;

  /** The first byte of what is sealed of a session: no page's text is as short. */
  private static final int SESSION = 's';

  /** Gives the seal's key. */
  public interface KeySource {
    byte[] key();

    /** As {@link #key()}, of one that takes a while: until a deadline. */
    default byte[] key(Deadline deadline) {
      return key();
    }
  }

  private final KeySource source;
  private final Supplier<Deadline> until;
  private final OneForAll asking;
  private volatile @Nullable TokenSeal seal;

  /**
   * Tokens sealed with the key of a source.
   *
   * @param until until when the source may take for a caller
   */
  public PageTokens(KeySource source, ClientTime time, Supplier<Deadline> until) {
    this.source = source;
    this.until = until;
    this.asking = new OneForAll("the key of tokens could not be read", time);
  }

  /** Tokens sealed with a key that is there. */
  public PageTokens(byte[] key) {
    this(
        () -> key,
        ClientTime.system(),
        () -> Deadline.after(System.nanoTime(), Duration.ofSeconds(1)));
    this.seal = new TokenSeal(key);
  }

  /**
   * What a token says.
   *
   * @param scope checksum of the scan that it belongs to
   * @param last the key to go on behind
   */
  public record Content(ReadPoint point, int scope, Optional<Bytes> last) {}

  public String format(Content content) {
    return sealed(
        VERSION,
        new WireWriter()
            .point(content.point())
            .i32(content.scope())
            .optional(content.last(), WireWriter::bytes)
            .toByteArray());
  }

  private String sealed(byte version, byte[] text) {
    byte[] sealed = seal().seal(text);
    byte[] token = new byte[1 + sealed.length];
    token[0] = version;
    System.arraycopy(sealed, 0, token, 1, sealed.length);
    return Tokens.text(token);
  }

  /** A session's token, sealed: for a browser, which cannot make another of it. */
  public String formatSession(ReadPoint point) {
    return sealed(SESSION_VERSION, new WireWriter().u8(SESSION).point(point).toByteArray());
  }

  /**
   * The point of a sealed session's token.
   *
   * @throws WrongArgumentException if it is none of this store
   */
  public ReadPoint parseSession(String token) {
    byte[] bytes = Tokens.bytes(token);
    if (bytes.length == 0 || bytes[0] != SESSION_VERSION) {
      throw new WrongArgumentException("the token is no sealed one of a session", null);
    }
    byte[] text = opened(bytes);
    try {
      WireReader reader = new WireReader(text, 0, text.length);
      if (reader.u8() != SESSION) {
        throw Tokens.damaged(null);
      }
      ReadPoint point = reader.point();
      reader.expectEnd();
      return point;
    } catch (MalformedMessageException e) {
      throw Tokens.damaged(e);
    }
  }

  /**
   * What a token says.
   *
   * @throws WrongArgumentException if it is none of a page of this store
   */
  public Content parse(String token) {
    byte[] bytes = Tokens.bytes(token);
    if (!isPage(bytes)) {
      throw new WrongArgumentException("the token is not of a scan, or damaged", null);
    }
    return open(bytes);
  }

  /**
   * The point of a token, of a page or of a session or snapshot.
   *
   * @throws WrongArgumentException if it is none
   */
  public ReadPoint point(String token) {
    byte[] bytes = Tokens.bytes(token);
    if (bytes.length > 0 && bytes[0] == SESSION_VERSION) {
      return parseSession(token);
    }
    return isPage(bytes) ? open(bytes).point() : Tokens.parse(token);
  }

  /**
   * Looks at a token as far as that can be done without the seal's key.
   *
   * @throws WrongArgumentException if it is none
   */
  public static void check(String token) {
    byte[] bytes = Tokens.bytes(token);
    boolean isSealed = isPage(bytes) || (bytes.length > 0 && bytes[0] == SESSION_VERSION);
    if (!isSealed) {
      var unused = Tokens.parse(token);
    }
  }

  private static boolean isPage(byte[] bytes) {
    return bytes.length > 0 && bytes[0] == VERSION;
  }

  private Content open(byte[] bytes) {
    byte[] text = opened(bytes);
    try {
      WireReader reader = new WireReader(text, 0, text.length);
      Content content =
          new Content(reader.point(), reader.i32(), reader.optional(WireReader::bytes));
      reader.expectEnd();
      return content;
    } catch (MalformedMessageException e) {
      throw Tokens.damaged(e);
    }
  }

  private byte[] opened(byte[] token) {
    return seal()
        .open(Arrays.copyOfRange(token, 1, token.length))
        .orElseThrow(
            () ->
                new WrongArgumentException(
                    "the token was changed, or is of another store or token key", null));
  }

  private TokenSeal seal() {
    TokenSeal known = seal;
    if (known != null) {
      return known;
    }
    return asking.get(until.get(), () -> Optional.ofNullable(seal), this::ask);
  }

  private TokenSeal ask(Deadline deadline) {
    TokenSeal made = new TokenSeal(source.key(deadline));
    seal = made;
    return made;
  }
}
