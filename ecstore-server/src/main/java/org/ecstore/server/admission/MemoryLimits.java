package org.ecstore.server.admission;

import org.ecstore.txn.node.NodeMemory;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.wire.Limits;

/**
 * What a node may hold in memory for others, in bytes. The sizes are shares of the heap: all that
 * are for clients and nodes make up three fifths of it when every one of them is full, and in an
 * attack; the outcomes that a sequencer remembers a third, while a copy lags behind very much
 * (decision 0033).
 *
 * @param framesMax frames of clients that are being received, together; a quarter of it, or what
 *     the longest frame leaves, is for small ones alone
 * @param requestsMax requests of clients under way, together, by weight; a quarter of it, or what
 *     the heaviest leaves, is for light ones alone
 * @param answersMax answers to clients, together
 * @param nodeFramesMax frames of other nodes that are being received, together
 * @param inboxMax what waits for the event loop; as much may wait for the way to other nodes,
 *     together
 * @param transactionMax the heaviest transaction that the node takes, by weight; what one
 *     connection holds in a stage is bounded by it too, or by half of the stage's room
 * @param outcomesMax outcomes that are remembered if this node leads; a number, not bytes
 */
public record MemoryLimits(
    long framesMax,
    long requestsMax,
    long answersMax,
    long nodeFramesMax,
    long inboxMax,
    long transactionMax,
    long outcomesMax) {
  private static final long TRANSACTION_MIN = 1 << 20;
  private static final long STREAMS_MAX = 32 << 20;

  /**
   * What an outcome takes in a sequencer's memory: its id, its number, whose it is, and its place
   * in a map.
   */
  private static final long OUTCOME_BYTES = 136;

  /** What a lease takes: the snapshot, and its places in four maps; all, what requests may. */
  private static final long LEASE_BYTES = 256;

  private static final int LEASES_MIN = 1_000;

  /** Less than this of the largest frame is around a transaction. */
  private static final long FRAME_OVERHEAD = Limits.FRAME_BYTES_MAX - Limits.TRANSACTION_BYTES_MAX;

  /** Of a node that has a heap to itself. */
  public static MemoryLimits ofHeap(long heapBytes) {
    long transaction = Math.clamp(heapBytes / 16, TRANSACTION_MIN, heaviest());
    long frames = Math.max(heapBytes / 12, transaction + FRAME_OVERHEAD / 16);
    return new MemoryLimits(
        frames,
        Math.max(heapBytes / 12, transaction),
        heapBytes / 16,
        frames,
        Math.clamp(heapBytes / 16, TRANSACTION_MIN, 64L << 20),
        transaction,
        heapBytes / 3 / OUTCOME_BYTES);
  }

  /** Of a node of this process. */
  public static MemoryLimits ofThisProcess() {
    return ofHeap(Runtime.getRuntime().maxMemory());
  }

  /** What a transaction weighs that is at all published limits. */
  private static long heaviest() {
    return Limits.TRANSACTION_BYTES_MAX
        + (long) Limits.TRANSACTION_ITEMS_MAX * Limits.ITEM_HEAP_BYTES;
  }

  /** Whether every transaction within the published limits fits. */
  public boolean takesAll() {
    return transactionMax >= heaviest();
  }

  /** What the strata of the node may hold. */
  public NodeMemory strata() {
    return new NodeMemory(
        takesAll() ? 0 : transactionMax,
        Math.max(requestsMax, transactionMax),
        transactionMax,
        Math.min(inboxMax, STREAMS_MAX),
        outcomesMax,
        Math.clamp(requestsMax / LEASE_BYTES, LEASES_MIN, NodeSettings.LEASES_MAX));
  }

  /** The longest frame of a client, in bytes. */
  public int clientFrameMax() {
    return (int) Math.min(Limits.FRAME_BYTES_MAX, transactionMax + FRAME_OVERHEAD / 16);
  }

  /** The longest frame of another node, in bytes. */
  public int nodeFrameMax() {
    return (int) Math.min(Limits.FRAME_BYTES_MAX, nodeFramesMax);
  }

  long max(Stage stage) {
    return switch (stage) {
      case FRAMES -> framesMax;
      // The longest one has to fit, alone.
      case LARGE_FRAMES ->
          Math.min(framesMax, Math.max(framesMax / 4 * 3, (long) clientFrameMax()));
      case REQUESTS -> requestsMax;
      // The heaviest one has to fit, alone.
      case HEAVY_REQUESTS -> Math.min(requestsMax, Math.max(requestsMax / 4 * 3, transactionMax));
      case ANSWERS -> answersMax;
      case NODE_FRAMES -> nodeFramesMax;
      case TO_NODES -> inboxMax;
    };
  }

  /** What one connection may hold of a stage. */
  long shareMax(Stage stage) {
    return switch (stage) {
      case FRAMES, LARGE_FRAMES, HEAVY_REQUESTS, NODE_FRAMES, TO_NODES -> max(stage);
      case REQUESTS -> Math.max(transactionMax, requestsMax / 2);
      case ANSWERS -> Math.max(2L * Limits.GET_BYTES_MAX, answersMax / 8);
    };
  }
}
