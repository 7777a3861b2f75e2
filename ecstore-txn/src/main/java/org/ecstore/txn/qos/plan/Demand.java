package org.ecstore.txn.qos.plan;

import org.ecstore.model.objective.Statistic;

/**
 * What a cluster is to bear, and how fast.
 *
 * @param statistic which response time is meant
 * @param millisMax what it may be at most, in milliseconds
 */
public record Demand(Load load, Statistic statistic, double millisMax) {
  /** How much is asked of the cluster. */
  public sealed interface Load {}

  /** So many clients that each wait for an answer before they ask again. */
  public record Clients(int count) implements Load {}

  /** So much in 10^6 bytes per second, by as many clients as that takes. */
  public record Throughput(double megabytesPerSecond) implements Load {}
}
