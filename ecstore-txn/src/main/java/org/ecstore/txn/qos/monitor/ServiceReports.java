package org.ecstore.txn.qos.monitor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.ServiceFields;
import org.ecstore.model.objective.ServiceSample;
import org.ecstore.txn.message.TxnMessage.ApplicationSample;
import org.ecstore.txn.message.TxnMessage.ServiceNews;
import org.ecstore.wire.MalformedMessageException;

/**
 * What clients have told this node of the service that they have, added up, and handed to the node
 * that leads some seconds later. Costs nothing while no client tells anything.
 */
public final class ServiceReports {
  /** How long reports of several clients are gathered. */
  static final long GATHER_NANOS = 5_000_000_000L;

  /**
   * Applications and tables that are told apart, first come. Of more, what an objective is about is
   * told as a whole, and of all else nothing (decision 0111).
   */
  static final int KEYS_MAX = 256;

  /** Whose. */
  private record Key(String application, String table) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int first = application.compareTo(other.application);
      return first != 0 ? first : table.compareTo(other.table);
    }
  }

  private final NodeContext context;
  private final Supplier<Optional<NodeId>> leader;
  private final Supplier<List<ServiceLimit>> promised;
  private final Map<Key, ServiceSample> gathered = new TreeMap<>();
  private boolean telling;

  /**
   * Of a node, for who leads.
   *
   * @param promised what this node was told that applications with objectives may have
   */
  public ServiceReports(
      NodeContext context,
      Supplier<Optional<NodeId>> leader,
      Supplier<List<ServiceLimit>> promised) {
    this.context = context;
    this.leader = leader;
    this.promised = promised;
  }

  /**
   * A client has sent a report. One that cannot be read is passed by: the client is of another
   * release. So are samples of more than a client can have done; the others are added up to no more
   * than messages carry.
   *
   * @param application which the client says that it is; empty if it says none
   */
  public void take(String application, Bytes report) {
    List<ServiceSample> samples;
    try {
      samples = ServiceFields.samples(report);
    } catch (MalformedMessageException e) {
      return;
    }
    for (ServiceSample sample : samples) {
      if (sample.isCredible()) {
        for (Key key : keys(application, sample.table())) {
          gathered.merge(key, sample.bounded().ofTable(key.table()), ServiceSample::plus);
        }
      }
    }
    tellSoon();
  }

  /**
   * Under which names a sample is told: its own, while there is room; else those by which the node
   * that leads knows that it is of an objective, and of no other one.
   */
  private List<Key> keys(String application, String table) {
    Key own = new Key(application, table);
    if (gathered.containsKey(own) || gathered.size() < KEYS_MAX) {
      return List.of(own);
    }
    List<Key> keys = new ArrayList<>();
    for (ServiceLimit limit : promised.get()) {
      if (limit.tables().contains(table)) {
        keys.add(new Key("", limit.tables().getFirst()));
      } else if (limit.tables().isEmpty() && limit.application().equals(application)) {
        keys.add(new Key(application, ""));
      }
    }
    return keys;
  }

  private void tellSoon() {
    if (!telling && !gathered.isEmpty()) {
      telling = true;
      context.after(
          GATHER_NANOS,
          () -> {
            telling = false;
            tell();
          });
    }
  }

  private void tell() {
    Optional<NodeId> to = leader.get();
    if (to.isEmpty()) {
      tellSoon();
      return;
    }
    context.send(
        to.get(),
        new ServiceNews(
            gathered.entrySet().stream()
                .map(one -> new ApplicationSample(one.getKey().application(), one.getValue()))
                .toList()));
    gathered.clear();
  }
}
