package org.ecstore.model.control;

/**
 * What an operator lets the controller do.
 *
 * @param nodesMax nodes that there may be, whatever has started them; from 1 to {@link #NODES_MAX}
 * @param costMaxMilli what an hour of all nodes may cost by their prices, in thousandths of the
 *     currency of those; 0 if there is no bound
 */
public record ControlSettings(ControlMode mode, int nodesMax, long costMaxMilli) {
  /** The most nodes that can be allowed. */
  public static final int NODES_MAX = 1_000;

  /** What is so until an operator says otherwise: it only says what it would do. */
  public static final ControlSettings DEFAULT =
      new ControlSettings(ControlMode.OBSERVE, NODES_MAX, 0);
}
