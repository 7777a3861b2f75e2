package org.ecstore.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.function.IntConsumer;
import org.ecstore.key.Bytes;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.CorrelatedReply;
import org.ecstore.server.admission.Account;
import org.ecstore.server.admission.Stage;
import org.ecstore.wire.Frames;
import org.ecstore.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/** Writes the bodies of frames to a connection, many small ones as one buffer. Event loop only. */
final class FrameEncoder {
  private static final int BUFFER_BYTES = 64 << 10;

  /** Where bodies are put together on their way into a buffer, one for each thread. */
  private static final FastThreadLocal<WireWriter> BODY =
      new FastThreadLocal<>() {
        @Override
        protected WireWriter initialValue() {
          return new WireWriter();
        }
      };

  private final ChannelHandlerContext ctx;
  private final @Nullable Account account;
  private final IntConsumer whenTaken;
  private @Nullable ByteBuf buffer;

  /** Bytes of all that was added. */
  private long added;

  /** Writes without an account. */
  FrameEncoder(ChannelHandlerContext ctx) {
    this.ctx = ctx;
    this.account = null;
    this.whenTaken = bytes -> {};
  }

  /**
   * Writes answers, which count for an account until the socket has taken them.
   *
   * @param whenTaken is told each time how many bytes it has, behind the account
   */
  FrameEncoder(ChannelHandlerContext ctx, Account account, IntConsumer whenTaken) {
    this.ctx = ctx;
    this.account = account;
    this.whenTaken = whenTaken;
  }

  /** Adds a frame; it leaves with {@link #flush} at the latest. */
  void add(Bytes body) {
    add(body.array(), body.length());
  }

  /** Adds a frame whose body is followed by something. */
  void add(Bytes body, byte[] tail) {
    ByteBuf into = begin(body.length() + tail.length);
    into.writeBytes(body.array());
    into.writeBytes(tail);
  }

  /** Adds a reply, or in its place a refusal if it is too large for a frame. */
  void add(CorrelatedReply reply) {
    WireWriter body = BODY.get().clear();
    ClientCodec.writeReply(body, reply.correlation(), reply.reply());
    if (body.length() > Frames.BODY_BYTES_MAX) {
      String detail = "an answer of " + body.length() + " bytes";
      ClientReply refused = new ClientReply.Refused(RefusalCode.TOO_LARGE, detail);
      ClientCodec.writeReply(body.clear(), reply.correlation(), refused);
    }
    add(body.array(), body.length());
  }

  private void add(byte[] body, int length) {
    begin(length).writeBytes(body, 0, length);
  }

  /**
   * A buffer with room for a body, which its length is written to. The first frame gets a buffer
   * that it fills, and the others buffers as large as all before them: what answers hold until they
   * are taken is no more than twice their bytes.
   */
  private ByteBuf begin(int length) {
    int needed = Frames.LENGTH_BYTES + length;
    ByteBuf into = buffer;
    if (into != null && into.writableBytes() < needed) {
      write(into);
      into = null;
    }
    if (into == null) {
      into = ctx.alloc().buffer(Math.max(needed, (int) Math.min(BUFFER_BYTES, added)));
    }
    into.writeInt(length);
    buffer = into;
    added += needed;
    return into;
  }

  /** Hands everything added to the socket. */
  void flush() {
    ByteBuf last = buffer;
    if (last != null) {
      write(last);
    }
    ctx.flush();
  }

  private void write(ByteBuf full) {
    buffer = null;
    Account holder = account;
    if (holder == null) {
      var _ = ctx.write(full, ctx.voidPromise());
    } else {
      int bytes = full.readableBytes();
      int held = full.capacity();
      holder.hold(Stage.ANSWERS, held);
      var _ =
          ctx.write(full)
              .addListener(
                  _ -> {
                    holder.give(Stage.ANSWERS, held);
                    whenTaken.accept(bytes);
                  });
    }
  }
}
