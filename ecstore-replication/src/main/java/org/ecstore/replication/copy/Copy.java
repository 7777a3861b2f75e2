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
 * that comes of a merge may be closed below its base: it answers nothing until it is closed there.
 */
public final class Copy {
  /** Where a copy is in its life. */
  public enum State {
    /** Being filled from a source; complete at its stamp when filled. Answers nothing. */
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
  private Position durableClosed;
  private Position durableBase;
  private Position streamed = Position.ZERO;

  Copy(RangeId id, Epoch epoch, KeyRange keys, State state, Position base, Position closed) {
    this.id = id;
    this.epoch = epoch;
    this.keys = keys;
    this.state = state;
    this.base = base;
    this.closed = closed;
    this.durableClosed = Position.ZERO;
    this.durableBase = Position.ZERO;
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

  /** The closed position as last computed. */
  public Position closed() {
    return closed;
  }

  void close(Position position) {
    closed = Position.max(closed, position);
  }

  /** The closed position that a crash cannot take back. */
  public Position durableClosed() {
    return durableClosed;
  }

  /** The base that a crash cannot take back: below it versions may be deleted. */
  Position durableBase() {
    return durableBase;
  }

  /** Where the last update of its stream ends that was handed to the engine. */
  Position streamed() {
    return streamed;
  }

  void streamed(Position through) {
    streamed = Position.max(streamed, through);
  }

  void durable(Position closedThen, Position baseThen) {
    durableClosed = Position.max(durableClosed, closedThen);
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

  @Override
  public String toString() {
    return id + "/" + epoch + keys + state + "[" + base + ".." + closed + "]";
  }
}
