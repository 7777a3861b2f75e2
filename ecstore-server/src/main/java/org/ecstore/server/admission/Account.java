package org.ecstore.server.admission;

import java.util.Optional;
import org.ecstore.check.Check;
import org.ecstore.model.RefusalCode;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a node holds for one connection, by stage. What is taken must be given back by the
 * one who took it, also after the connection has ended: a request whose client has gone is still in
 * memory. Any thread may call.
 */
public final class Account {
  /** What is there already, and is held whatever the room, may be so many shares. */
  private static final int OVERDRAWN_SHARES = 4;

  /** A request up to this is light: there is room for it that heavy ones cannot take. */
  static final long LIGHT_MAX = 64 << 10;

  private final Admission admission;
  private final Held held = new Held();
  private volatile Origin origin;

  /** Absent before the connection has said whose it is, and after its end. */
  private volatile OriginShares.@Nullable Share share;

  Account(Admission admission, Origin origin) {
    this.admission = admission;
    this.origin = origin;
  }

  /** Whose it is. */
  public Origin origin() {
    return origin;
  }

  /**
   * The connection has said which application it is of: from now on that holds what it holds. Once,
   * by the thread that takes and gives back its requests, as {@link #end}.
   */
  public void isOf(String application) {
    Check.that(share == null, "a connection is of one application");
    origin = new Origin(origin.peer(), application);
    OriginShares.Share joined = admission.shares().join(origin);
    joined.add(held(Stage.REQUESTS));
    share = joined;
  }

  /** The connection has ended, and nothing that it asked for is under way. */
  public void end() {
    OriginShares.Share joined = share;
    if (joined != null) {
      share = null;
      joined.add(-held(Stage.REQUESTS));
      joined.leave();
    }
  }

  /** The limits of its node. */
  public MemoryLimits limits() {
    return admission.limits();
  }

  /** Takes bytes, or says why not; then nothing is taken. */
  public Optional<Refusal> take(Stage stage, long bytes) {
    long before = held.of(stage).get();
    if (before > 0 && before + bytes > limits().shareMax(stage)) {
      return Optional.of(
          Admission.overloaded(
              "this connection has " + before + " bytes of " + stage.what() + " already"));
    }
    Optional<Refusal> refusal = admission.take(stage, bytes);
    if (refusal.isEmpty()) {
      held.of(stage).addAndGet(bytes);
    }
    return refusal;
  }

  /**
   * Takes the weight of a request, or says why not. One that is heavy leaves a part of the room to
   * light ones; where room is scarce a connection, an application or a peer that has its share of
   * it gets no more.
   */
  public Optional<Refusal> takeRequest(long weight) {
    Optional<Refusal> refusal =
        admission.isScarce(Stage.REQUESTS) ? refusalOfScarce(weight) : Optional.empty();
    if (refusal.isEmpty()) {
      refusal =
          weight <= LIGHT_MAX
              ? take(Stage.REQUESTS, weight)
              : takeOfBoth(Stage.HEAVY_REQUESTS, Stage.REQUESTS, weight);
    }
    OriginShares.Share joined = share;
    if (refusal.isEmpty() && joined != null) {
      joined.add(weight);
    }
    return refusal;
  }

  private Optional<Refusal> refusalOfScarce(long weight) {
    long before = held(Stage.REQUESTS);
    if (before > 0 && before + weight > limits().max(Stage.REQUESTS) / OriginShares.SHARES_MAX) {
      return Optional.of(
          Admission.overloaded(
              "this connection has %d bytes of %s already while others find no room"
                  .formatted(before, Stage.REQUESTS.what())));
    }
    OriginShares.Share joined = share;
    return joined == null ? Optional.empty() : joined.refusal(weight);
  }

  /** Takes bytes of a stage that is a part of another, and as many of that; or of neither. */
  public Optional<Refusal> takeOfBoth(Stage part, Stage whole, long bytes) {
    Optional<Refusal> refusal = take(part, bytes);
    if (refusal.isEmpty()) {
      refusal = take(whole, bytes);
      if (refusal.isPresent()) {
        give(part, bytes);
      }
    }
    return refusal;
  }

  /** The request has been answered. */
  public void giveRequest(long weight) {
    OriginShares.Share joined = share;
    if (joined != null) {
      joined.add(-weight);
    }
    give(Stage.REQUESTS, weight);
    if (weight > LIGHT_MAX) {
      give(Stage.HEAVY_REQUESTS, weight);
    }
  }

  /** What is said of a message that is longer than any this node takes. */
  public Refusal tooLong(long bytes, long bytesMax) {
    return new Refusal(
        RefusalCode.TOO_LARGE,
        "a message of " + bytes + " bytes, where this node's heap allows " + bytesMax,
        0);
  }

  /** Takes bytes whatever the room: for what is there already. */
  public void hold(Stage stage, long bytes) {
    admission.hold(stage, bytes);
    held.of(stage).addAndGet(bytes);
  }

  /** Gives bytes back. */
  public void give(Stage stage, long bytes) {
    long left = held.of(stage).addAndGet(-bytes);
    Check.that(left >= 0, "no more is given back than was taken", stage, left);
    admission.give(stage, bytes);
  }

  /** Bytes held in a stage. */
  public long held(Stage stage) {
    return held.of(stage).get();
  }

  /** Whether it holds as much of a stage as one connection may. */
  public boolean isFull(Stage stage) {
    return held(stage) >= limits().shareMax(stage);
  }

  /** Whether it holds so much more of a stage than it may that it is not worth keeping. */
  public boolean isOverdrawn(Stage stage) {
    return held(stage) > OVERDRAWN_SHARES * limits().shareMax(stage);
  }

  /**
   * The most bytes of answers that wait: while they are encoded they are there twice, and a
   * connection that holds more than it may is not kept. What is longer never fits.
   */
  public long answerMax() {
    return OVERDRAWN_SHARES * limits().shareMax(Stage.ANSWERS) / 2;
  }

  /** Whether an answer beside all that is held is none that the connection is cut for. */
  public boolean mayAnswer(long bytes) {
    return !isFull(Stage.ANSWERS) && held(Stage.ANSWERS) + bytes <= answerMax();
  }

  /** How often something, of any connection, has found no room in a stage. */
  public long refused(Stage stage) {
    return admission.refused(stage);
  }

  /** Whether those who hold bytes of a stage must move. */
  public boolean isScarce(Stage stage) {
    return admission.isScarce(stage);
  }
}
