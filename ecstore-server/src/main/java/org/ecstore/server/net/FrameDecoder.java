package org.ecstore.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Arrays;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.server.admission.Account;
import org.ecstore.server.admission.Admission;
import org.ecstore.server.admission.Refusal;
import org.ecstore.server.admission.Stage;
import org.ecstore.wire.Frames;
import org.ecstore.wire.MalformedMessageException;

/**
 * Cuts the bytes of a connection into the bodies of frames. A length is judged when it has come, by
 * what the connection may send in its state; the bytes of a body are taken from the node's room
 * before they are kept, as they come: a frame that is announced holds nothing, and one that has
 * come in part no more than twice that part.
 *
 * <p>A frame for which there is no room is passed by, its bytes dropped as they come, and told as
 * {@link Dropped}: the connection goes on with the next one. Event loop only.
 */
final class FrameDecoder extends ChannelInboundHandlerAdapter {
  /** Before the greeting nothing is longer. */
  static final int GREETING_BYTES_MAX = 4 << 10;

  /** So much of each body is kept without asking: it says what the frame is. */
  static final int HEAD_BYTES = 16;

  /** Frames up to this are small: there is room for them that large ones cannot take. */
  static final int SMALL_BYTES_MAX = 64 << 10;

  private static final int NONE = -1;

  /** What a frame that is being received must bring in a second where room is scarce. */
  private static final long SLOW_BYTES = 256 << 10;

  /** In one second a network may lose a packet; with so many in turn a frame comes slowly. */
  private static final int SLOW_SECONDS = 2;

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final byte[] NO_BODY = new byte[0];

  private final Account account;
  private final Stage stage;
  private int bytesMax = GREETING_BYTES_MAX;
  private boolean greeted;
  private boolean over;

  private int lengthBytes;
  private long announced;

  /** Of the frame at hand, once it is known. */
  private int length = NONE;

  private byte[] body = NO_BODY;
  private int filled;

  /** Bytes of the frame at hand that are still to be dropped. */
  private long toDrop;

  private long taken;
  private boolean begun;
  private long startedNanos;

  /** When it was last seen what comes of the frame at hand, and what had come then. */
  private long seenNanos;

  private int seenFilled;
  private int slowSeconds;
  private long seenRefused;

  /** A frame that announces more than any message has in the state of its connection. */
  static final class FrameTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FrameTooLargeException(long length, int bytesMax) {
      super("a frame of " + length + " bytes, where at most " + bytesMax + " are allowed");
    }
  }

  /**
   * A frame that was not received.
   *
   * @param head its first bytes
   */
  record Dropped(Bytes head, Refusal refusal) {}

  /** A decoder of frames whose bytes are taken from a stage of an account. */
  FrameDecoder(Account account, Stage stage) {
    this.account = account;
    this.stage = stage;
  }

  /** The account of its connection. */
  Account account() {
    return account;
  }

  /** The greeting has come: frames may be so long from now on, and longer ones are dropped. */
  void greeted(int frameBytesMax) {
    greeted = true;
    bytesMax = frameBytesMax;
  }

  /**
   * When the frame at hand began, by {@link System#nanoTime}; meaningless without {@link
   * #isPartial}.
   */
  long startedNanos() {
    return startedNanos;
  }

  /** Whether a frame has begun and is not complete. */
  boolean isPartial() {
    return begun;
  }

  /**
   * Drops the frame at hand if it holds bytes that others need, and comes slowly: by what it has
   * brought lately, however quickly it began.
   */
  void makeRoom(ChannelHandlerContext ctx, long nowNanos) {
    if (nowNanos - seenNanos < SECOND_NANOS) {
      return;
    }
    long refused = refused();
    boolean isWanted = account.isScarce(stage) || refused != seenRefused;
    slowSeconds = filled - seenFilled < SLOW_BYTES ? slowSeconds + 1 : 0;
    seenNanos = nowNanos;
    seenFilled = filled;
    seenRefused = refused;
    if (begun && taken > 0 && slowSeconds >= SLOW_SECONDS && isWanted) {
      drop(ctx, Admission.overloaded("it comes slowly while others find no room"));
    }
  }

  /** How often frames have found no room, of all connections. */
  private long refused() {
    return stage == Stage.FRAMES
        ? account.refused(stage) + account.refused(Stage.LARGE_FRAMES)
        : account.refused(stage);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      while (in.isReadable() && !over) {
        step(ctx, in);
      }
    } catch (RuntimeException e) {
      end();
      throw e;
    } finally {
      in.release();
    }
  }

  private void step(ChannelHandlerContext ctx, ByteBuf in) {
    if (!begun) {
      begun = true;
      startedNanos = System.nanoTime();
      seenNanos = startedNanos;
      seenFilled = 0;
      slowSeconds = 0;
    }
    if (toDrop > 0) {
      drop(in);
    } else if (length == NONE) {
      readLength(in);
    } else {
      readBody(ctx, in);
    }
  }

  private void readLength(ByteBuf in) {
    announced = announced << 8 | in.readUnsignedByte();
    lengthBytes++;
    if (lengthBytes == Frames.LENGTH_BYTES) {
      length = judged(announced);
      body = new byte[Math.min(HEAD_BYTES, length)];
    }
  }

  private int judged(long wanted) {
    if (wanted < Frames.BODY_BYTES_MIN) {
      throw new MalformedMessageException("a frame of " + wanted + " bytes");
    }
    int most = greeted ? Frames.BODY_BYTES_MAX : bytesMax;
    if (wanted > most) {
      throw new FrameTooLargeException(wanted, most);
    }
    return (int) wanted;
  }

  private void readBody(ChannelHandlerContext ctx, ByteBuf in) {
    if (filled == body.length) {
      Optional<Refusal> refusal = grow(in.readableBytes());
      if (refusal.isPresent()) {
        drop(ctx, refusal.get());
        return;
      }
    }
    int more = Math.min(body.length - filled, in.readableBytes());
    in.readBytes(body, filled, more);
    filled += more;
    if (filled == length) {
      complete(ctx);
    }
  }

  private Optional<Refusal> grow(int readable) {
    if (length > bytesMax) {
      return Optional.of(account.tooLong(length, bytesMax));
    }
    int wanted = (int) Math.min(length, filled + Math.max((long) filled, readable));
    Optional<Refusal> refusal = take(wanted - taken);
    if (refusal.isEmpty()) {
      taken = wanted;
      body = Arrays.copyOf(body, wanted);
    }
    return refusal;
  }

  private boolean isLarge() {
    return stage == Stage.FRAMES && length > SMALL_BYTES_MAX;
  }

  private Optional<Refusal> take(long bytes) {
    return isLarge()
        ? account.takeOfBoth(Stage.LARGE_FRAMES, stage, bytes)
        : account.take(stage, bytes);
  }

  private void giveBack() {
    account.give(stage, taken);
    if (isLarge()) {
      account.give(Stage.LARGE_FRAMES, taken);
    }
    taken = 0;
  }

  private void complete(ChannelHandlerContext ctx) {
    Bytes whole = Bytes.wrap(body);
    try {
      ctx.fireChannelRead(whole);
    } finally {
      forget();
    }
  }

  /** Ready for the next frame; what this one held is given back. */
  private void forget() {
    giveBack();
    body = NO_BODY;
    filled = 0;
    lengthBytes = 0;
    announced = 0;
    length = NONE;
    begun = false;
  }

  private void drop(ChannelHandlerContext ctx, Refusal refusal) {
    toDrop = (long) length - filled;
    Dropped dropped =
        new Dropped(Bytes.wrap(Arrays.copyOf(body, Math.min(filled, HEAD_BYTES))), refusal);
    giveBack();
    body = NO_BODY;
    ctx.fireChannelRead(dropped);
  }

  private void drop(ByteBuf in) {
    int bytes = (int) Math.min(toDrop, in.readableBytes());
    in.skipBytes(bytes);
    toDrop -= bytes;
    if (toDrop == 0) {
      forget();
    }
  }

  /** Takes nothing more. */
  private void end() {
    over = true;
    forget();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    end();
    ctx.fireChannelInactive();
  }
}
