package org.ecstore.server.admission;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.model.RefusalCode;

/**
 * The bytes that a node holds for others, by stage. A component that wants to hold some takes them
 * first, by the {@link Account} of its connection, and gives them back. Any thread may call.
 *
 * <p>A room that is more than half full is scarce: then those are let go that hold bytes and do not
 * move, so that they cannot shut out those who do.
 */
public final class Admission {
  /** When what finds no room may try again: most of what is held is gone by then. */
  static final int AGAIN_MILLIS = 100;

  private final MemoryLimits limits;
  private final Held held = new Held();

  /** How often something found no room, by stage. */
  private final Held refused = new Held();

  private final OriginShares shares;

  public Admission(MemoryLimits limits) {
    this.limits = limits;
    this.shares = new OriginShares(limits.max(Stage.REQUESTS));
  }

  /** What it keeps. */
  public MemoryLimits limits() {
    return limits;
  }

  /** What peers and applications hold of requests. */
  OriginShares shares() {
    return shares;
  }

  /** A connection's account, which ends with it. */
  public Account open(Origin origin) {
    return new Account(this, origin);
  }

  /** Bytes held in a stage, of all connections. */
  public long held(Stage stage) {
    return held.of(stage).get();
  }

  /** Whether a stage has as much as it may. */
  public boolean isFull(Stage stage) {
    return held(stage) >= limits.max(stage);
  }

  /** Whether another answer may be made, while so many bytes of rows are on their way to one. */
  public boolean hasRoomForAnswers(long rowBytes) {
    return held(Stage.ANSWERS) + rowBytes < limits.max(Stage.ANSWERS);
  }

  /** How often something has found no room in a stage. */
  public long refused(Stage stage) {
    return refused.of(stage).get();
  }

  /** Whether those who hold bytes of a stage must move. */
  public boolean isScarce(Stage stage) {
    return held(stage) >= limits.max(stage) / 2;
  }

  /**
   * Takes bytes for a message to another node; false if there is no room. A node that takes nothing
   * has no more of the room than it leaves to others. One message fits in any case where nothing
   * waits for that node, or none would ever reach it while another is slow.
   *
   * @param own what waits for that node already, in bytes
   */
  public boolean takeToNode(long bytes, long own) {
    AtomicLong room = held.of(Stage.TO_NODES);
    boolean fits = bytes == 0 || own == 0 || own + room.get() + bytes <= limits.max(Stage.TO_NODES);
    if (fits) {
      room.addAndGet(bytes);
    }
    return fits;
  }

  /** What was taken for a message to another node is free again. */
  public void giveToNode(long bytes) {
    give(Stage.TO_NODES, bytes);
  }

  Optional<Refusal> take(Stage stage, long bytes) {
    long max = limits.max(stage);
    if (bytes > max) {
      return Optional.of(tooLarge(bytes, max, stage));
    }
    AtomicLong room = held.of(stage);
    if (room.addAndGet(bytes) > max) {
      room.addAndGet(-bytes);
      refused.of(stage).incrementAndGet();
      return Optional.of(overloaded("this node holds " + room.get() + " bytes of " + stage.what()));
    }
    return Optional.empty();
  }

  /** Takes whatever the room: for what is there already. */
  void hold(Stage stage, long bytes) {
    held.of(stage).addAndGet(bytes);
  }

  void give(Stage stage, long bytes) {
    held.of(stage).addAndGet(-bytes);
  }

  /** What is said where there is no room for now. */
  public static Refusal overloaded(String detail) {
    return new Refusal(RefusalCode.OVERLOADED, detail, AGAIN_MILLIS);
  }

  /** What can never fit here. */
  private static Refusal tooLarge(long bytes, long max, Stage stage) {
    return new Refusal(
        RefusalCode.TOO_LARGE,
        bytes + " bytes, where this node has room for " + max + " of " + stage.what(),
        0);
  }

  /** What is said of a transaction, or another request, that is heavier than any the node takes. */
  public Refusal tooHeavy(long weight) {
    return new Refusal(
        RefusalCode.TOO_LARGE,
        "a request that takes "
            + weight
            + " bytes of memory, where this node's heap allows "
            + limits.transactionMax(),
        0);
  }

  @Override
  public String toString() {
    return "holds " + held;
  }
}
