package org.ecstore.server.net;

import io.netty.channel.ChannelHandlerContext;
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

  /** How long one may take no replies that holds bytes while others find no room. */
  private static final Duration SCARCE_STALL = Duration.ofSeconds(1);

  private final NetSettings settings;
  private final Consumer<String> onExpired;
  private final FrameDecoder decoder;
  private final long openedNanos = System.nanoTime();
  private long lastMessageNanos = openedNanos;
  private boolean greeted;
  private boolean busy;
  private boolean stalled;
  private long progressNanos;
  private long bytesLeft;
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
            .scheduleWithFixedDelay(() -> look(ctx), period, period, TimeUnit.MILLISECONDS);
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

  private void look(ChannelHandlerContext ctx) {
    long now = System.nanoTime();
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
    if (isStalled(ctx, now, stall)) {
      return Optional.of("it takes no replies for " + stall);
    }
    if (!busy && now - lastMessageNanos > settings.idle().toNanos()) {
      return Optional.of("nothing said for " + settings.idle());
    }
    return Optional.empty();
  }

  private boolean isStalled(ChannelHandlerContext ctx, long now, Duration stall) {
    long left = ctx.channel().isWritable() ? 0 : ctx.channel().bytesBeforeWritable();
    if (left == 0) {
      stalled = false;
    } else if (!stalled || left < bytesLeft) {
      stalled = true;
      progressNanos = now;
    }
    bytesLeft = left;
    return stalled && now - progressNanos > stall.toNanos();
  }
}
