package org.ecstore.replication.copy;

import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;

/**
 * One node's data for a range. Its bounds and epoch never change: a change of the map makes a new
 * copy that takes over base and closed position of what it covers (rule 17).
 *
 * <p>Invariants: both base and closed only grow; the engine can read every commit to the range
 * numbered at or below closed, at any position from base on, and none will be added there. A copy
 * that comes of a merge, or of a transfer beside folds, may be closed below its base: it answers
 * nothing until it is closed there.
 */
public final class Copy {
  /** Where a copy is in its life. */
  public enum State {
    /** Filled from a source, and not durable yet. Answers nothing. */
    BUILDING,
    /** Filled, and in no map yet. */
    BUILT,
    /** The map names this node as primary in an earlier incarnation: new epochs are asked for. */
    WAITING,
    /** This incarnation holds the epoch; the ledger is replayed through the epoch record. */
    REPLAYING,
    /** Answers reads and votes. */
    SERVING,
    /**
     * A secondary's: takes what the primary streams, and answers reads at or below its closed
     * position.
     */
    FOLLOWING,
    /** Replaced, moved or split: answers nothing any more. */
    RETIRED,
    /** The ledger no longer has what the copy misses. Answers nothing; an operator must know. */
    LOST
  }

  private final RangeId id;
  private final Epoch epoch;
  private final KeyRange keys;
  private State state;
  private Position base;
  private Position closed;
  private Position folded = Position.ZERO;
  private Position durableFolded;
  private Position durableBase;
  private Position rows;
  private Position streamed = Position.ZERO;
  private final RoomWait room = new RoomWait();

  Copy(RangeId id, Epoch epoch, KeyRange keys, State state, Position base, Position closed) {
    this.id = id;
    this.epoch = epoch;
    this.keys = keys;
    this.state = state;
    this.base = base;
    this.closed = closed;
    this.durableFolded = Position.ZERO;
    this.durableBase = Position.ZERO;
    this.rows = base;
  }

  public RangeId id() {
    return id;
  }

  /** The epoch it serves under; zero while it is in no map. */
  public Epoch epoch() {
    return epoch;
  }

  public KeyRange keys() {
    return keys;
  }

  public State state() {
    return state;
  }

  void state(State next) {
    state = next;
  }

  /** The lowest position it can answer at. */
  public Position base() {
    return base;
  }

  void raiseBase(Position floor) {
    base = Position.max(base, Position.min(floor, closed));
  }

  /**
   * At or above base: rows of the engine's store may be as of it. A restart, which has lost what
   * they were before, answers nothing below it (rules W1, W8).
   */
  public Position rows() {
    return Position.max(rows, base);
  }

  void raiseRows(Position through) {
    rows = Position.max(rows, through);
  }

  /** The closed position as last computed. */
  public Position closed() {
    return closed;
  }

  void close(Position position) {
    closed = Position.max(closed, position);
  }

  /** Through which position the engine's store has all of it: a restart goes on from there. */
  public Position folded() {
    return folded;
  }

  void fold(Position position) {
    folded = Position.max(folded, position);
  }

  /** The fold position that a crash cannot take back. */
  public Position durableFolded() {
    return durableFolded;
  }

  /** The base that a restart has: through it rows may be folded. */
  Position durableBase() {
    return durableBase;
  }

  /** Whether what its stream brings waits for room. */
  RoomWait room() {
    return room;
  }

  /** Where the last update of its stream ends that was handed to the engine. */
  Position streamed() {
    return streamed;
  }

  void streamed(Position through) {
    streamed = Position.max(streamed, through);
  }

  void durable(Position foldedThen, Position baseThen) {
    durableFolded = Position.max(durableFolded, foldedThen);
    durableBase = Position.max(durableBase, baseThen);
  }

  public boolean serving() {
    return state == State.SERVING;
  }

  public boolean following() {
    return state == State.FOLLOWING;
  }

  /** Whether it can read every commit through its closed position, and goes on. */
  boolean live() {
    return serving() || following();
  }

  /** Whether its versions are folded: it is live, or comes to be. */
  boolean folds() {
    return live() || state == State.REPLAYING;
  }

  /** Whether it can be folded as it is: all through what its rows may be as of is there. */
  boolean isWhole() {
    return rows().isAtOrBelow(closed);
  }

  @Override
  public String toString() {
    return id + "/" + epoch + keys + state + "[" + base + ".." + closed + "]";
  }
}
