package org.ecstore.bench.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ecstore.bench.cost.CostModel;
import org.ecstore.id.NodeId;

/**
 * Writes of single records to all copies, in two ways: optimistic, where the primary answers and
 * its secondaries follow by streams, and pessimistic, where all copies have it before the answer
 * (§4.4, figure 5). A log is a device of its own: it occupies no node, and what comes while an
 * append is under way is the next one.
 */
public final class ModelWrites {
  private static final int STREAMED_MAX = 64;

  /** A node's log. */
  private final class Log {
    private List<Runnable> waiting = new ArrayList<>();
    private boolean busy;

    void append(Runnable durable) {
      waiting.add(durable);
      if (!busy) {
        force();
      }
    }

    private void force() {
      List<Runnable> now = waiting;
      waiting = new ArrayList<>();
      busy = true;
      cluster
          .scheduler()
          .after(
              costs.logAppend() + (now.size() - 1) * costs.logRecord(),
              () -> {
                busy = false;
                if (!waiting.isEmpty()) {
                  force();
                }
                now.forEach(Runnable::run);
              });
    }
  }

  /** What a primary still has to send to one secondary. */
  private static final class Stream {
    int waiting;
    boolean underWay;
  }

  private record Link(NodeId from, NodeId to) implements Comparable<Link> {
    @Override
    public int compareTo(Link other) {
      int byFrom = from.compareTo(other.from);
      return byFrom != 0 ? byFrom : to.compareTo(other.to);
    }
  }

  private final ModelCluster cluster;
  private final CostModel costs;
  private final boolean optimistic;
  private final Map<NodeId, Log> logs = new TreeMap<>();
  private final Map<Link, Stream> streams = new TreeMap<>();

  /** Writes to a cluster, in one of the ways. */
  public ModelWrites(ModelCluster cluster, boolean optimistic) {
    this.cluster = cluster;
    this.costs = cluster.costs();
    this.optimistic = optimistic;
  }

  /** Writes a record; {@code done} when the client at a node has the answer. */
  public void write(NodeId client, int record, Runnable done) {
    List<ModelCopy> copies = cluster.copiesOf(cluster.population().key(record));
    ModelNode primary = copies.getFirst().node;
    ModelNode asker = cluster.nodeOf(client);
    Runnable answer =
        () -> primary.work(() -> costs.message(1), () -> cluster.send(primary, asker, done));
    cluster.send(
        asker,
        primary,
        () ->
            logAndApply(
                primary,
                () -> {
                  if (optimistic) {
                    answer.run();
                    copies.stream().skip(1).forEach(copy -> stream(primary, copy.node));
                  } else {
                    int[] left = {copies.size() - 1};
                    copies.stream()
                        .skip(1)
                        .forEach(copy -> replicate(primary, copy.node, left, answer));
                  }
                }));
  }

  private void logAndApply(ModelNode node, Runnable then) {
    node.work(
        () -> costs.message(1),
        () ->
            logs.computeIfAbsent(node.id, _ -> new Log())
                .append(
                    () ->
                        node.work(
                            costs::write,
                            () -> {
                              node.served();
                              then.run();
                            })));
  }

  private void replicate(ModelNode primary, ModelNode secondary, int[] left, Runnable answer) {
    primary.work(
        () -> costs.message(1),
        () ->
            cluster.send(
                primary,
                secondary,
                () ->
                    logAndApply(
                        secondary,
                        () ->
                            secondary.work(
                                () -> costs.message(1),
                                () ->
                                    cluster.send(
                                        secondary, primary, () -> heard(primary, left, answer))))));
  }

  private void heard(ModelNode primary, int[] left, Runnable answer) {
    primary.work(
        () -> costs.message(1),
        () -> {
          if (--left[0] == 0) {
            answer.run();
          }
        });
  }

  private void stream(ModelNode primary, ModelNode secondary) {
    Stream stream = streams.computeIfAbsent(new Link(primary.id, secondary.id), _ -> new Stream());
    stream.waiting++;
    if (!stream.underWay) {
      flow(primary, secondary, stream);
    }
  }

  /** One message at a time; the next one goes when this one is acknowledged. */
  private void flow(ModelNode primary, ModelNode secondary, Stream stream) {
    int writes = Math.min(STREAMED_MAX, stream.waiting);
    stream.waiting -= writes;
    stream.underWay = true;
    primary.work(
        () -> costs.message(writes),
        () ->
            cluster.send(
                primary,
                secondary,
                () ->
                    secondary.work(
                        () -> 2 * costs.message(1) + writes * costs.write(),
                        () ->
                            cluster.send(
                                secondary,
                                primary,
                                () -> {
                                  stream.underWay = false;
                                  if (stream.waiting > 0) {
                                    flow(primary, secondary, stream);
                                  }
                                }))));
  }
}
