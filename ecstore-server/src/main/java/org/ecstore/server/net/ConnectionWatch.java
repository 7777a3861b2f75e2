package org.ecstore.server.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.ecstore.server.admission.Stage;
import org.jspecify.annotations.Nullable;

/**
 * Watches that a connection does not linger: a handshake that does not come, a message that does
 * not end, a peer that says nothing or takes nothing. Event loop only.
 */
final class ConnectionWatch {
  private static final long LOOK_MILLIS_MAX = 1_000;

  /** How long one may take no replies, or too few, while others find no room for theirs. */
  private static final Duration SCARCE_STALL = Duration.ofSeconds(1);

  /** Within that time it takes so much of what waits for it: all in some seconds. */
  private static final int SCARCE_PARTS = 4;

  private final NetSettings settings;
  private final Consumer<String> onExpired;
  private final FrameDecoder decoder;
  private final long openedNanos = System.nanoTime();
  private long lastMessageNanos = openedNanos;
  private boolean greeted;
  private boolean busy;

  /** Bytes of replies that the socket has taken, of those it has taken whole. */
  private long takenWhole;

  private boolean waiting;

  /** When it had last taken as much as it should, and how much was taken and waited then. */
  private long progressNanos;

  private long progressTaken;
  private long progressLeft;
  private @Nullable Future<?> schedule;

  ConnectionWatch(NetSettings settings, FrameDecoder decoder, Consumer<String> onExpired) {
    this.settings = settings;
    this.decoder = decoder;
    this.onExpired = onExpired;
  }

  void start(ChannelHandlerContext ctx) {
    long shortest =
        Stream.of(settings.handshake(), settings.frame(), settings.idle(), settings.stall())
            .mapToLong(Duration::toMillis)
            .min()
            .orElse(LOOK_MILLIS_MAX);
    long period = Math.clamp(shortest / 4, 1, LOOK_MILLIS_MAX);
    schedule =
        ctx.executor()
            .scheduleWithFixedDelay(
                () -> look(ctx, System.nanoTime()), period, period, TimeUnit.MILLISECONDS);
  }

  void stop() {
    Future<?> running = schedule;
    if (running != null) {
      running.cancel(false);
    }
  }

  /** A whole message has come. */
  void message() {
    greeted = true;
    lastMessageNanos = System.nanoTime();
  }

  /** Whether calls are under way, so that silence is no wonder. */
  void busy(boolean value) {
    busy = value;
    lastMessageNanos = System.nanoTime();
  }

  /** The socket has taken a reply, or several together, to the last byte. */
  void taken(int bytes) {
    takenWhole += bytes;
  }

  /** Looks at what has come and gone until a time by {@link System#nanoTime}. */
  void look(ChannelHandlerContext ctx, long now) {
    ChannelHandlerContext decoding = ctx.pipeline().context(decoder);
    if (decoding != null) {
      decoder.makeRoom(decoding, now);
    }
    Optional<String> expired = expired(ctx, now);
    if (expired.isPresent()) {
      stop();
      onExpired.accept(expired.get());
    }
  }

  private Optional<String> expired(ChannelHandlerContext ctx, long now) {
    if (!greeted && now - openedNanos > settings.handshake().toNanos()) {
      return Optional.of("no greeting within " + settings.handshake());
    }
    if (decoder.isPartial() && now - decoder.startedNanos() > settings.frame().toNanos()) {
      return Optional.of("a message did not end within " + settings.frame());
    }
    boolean scarce = decoder.account().isScarce(Stage.ANSWERS);
    Duration stall =
        scarce && SCARCE_STALL.compareTo(settings.stall()) < 0 ? SCARCE_STALL : settings.stall();
    if (isStalled(ctx, now, stall, scarce)) {
      return Optional.of(
          scarce
              ? "it takes few replies or none for " + stall + " while others find no room"
              : "it takes no replies for " + stall);
    }
    if (!busy && now - lastMessageNanos > settings.idle().toNanos()) {
      return Optional.of("nothing said for " + settings.idle());
    }
    return Optional.empty();
  }

  /** A connection that has room for more is none that has to be cut, unless others need it. */
  private boolean isStalled(ChannelHandlerContext ctx, long now, Duration stall, boolean scarce) {
    ChannelOutboundBuffer outbound = ctx.channel().unsafe().outboundBuffer();
    long inPart = outbound == null ? 0 : outbound.currentProgress();
    long left = outbound == null ? 0 : outbound.totalPendingWriteBytes() - inPart;
    long taken = takenWhole + inPart;
    long least = scarce ? Math.max(1, progressLeft / SCARCE_PARTS) : 1;
    if (left <= 0) {
      waiting = false;
    } else if (!waiting || taken - progressTaken >= least) {
      waiting = true;
      progressNanos = now;
      progressTaken = taken;
      progressLeft = left;
    }
    return waiting
        && now - progressNanos > stall.toNanos()
        && (scarce || !ctx.channel().isWritable());
  }
}
