package org.ecstore.txn.balance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.txn.message.TxnMessage.CopyLoad;
import org.ecstore.txn.message.TxnMessage.LoadReport;

/**
 * What the copies of a node hold and have to do, told to the steward once a period. The size of a
 * copy is asked of the engine when it has been written to by a good part of what it held; rates are
 * counts of a period, averaged with those before.
 */
public final class LoadMeter {
  private static final double SECOND = 1e9;
  private static final double THOUSAND = 1_000;

  /** What has not changed by more is told again only so many periods later. */
  private static final double CHANGE = 0.1;

  private static final int PERIODS_BETWEEN = 6;

  /** After so many periods a size is asked anew: old versions go, too. */
  private static final int PERIODS_SIZED = 60;

  private static final double WRITTEN_PART = 0.1;
  private static final int REPORT_MAX = 5_000;

  private static final class Metered {
    final Copy copy;
    long reads;
    long updates;
    long written;
    double readRate;
    double updateRate;
    int periods;
    int sizedAt;
    boolean sizing;
    Optional<EngineResult.Size> size = Optional.empty();
    Optional<CopyLoad> told = Optional.empty();
    int toldAt;

    Metered(Copy copy) {
      this.copy = copy;
    }
  }

  private final NodeContext context;
  private final CopyTable copies;
  private final RebalanceSettings settings;
  private final Supplier<Optional<NodeId>> leader;
  private final Map<RangeId, Metered> metered = new TreeMap<>();
  private final Queue<Metered> toSize = new ArrayDeque<>();
  private boolean sizing;
  private boolean soon;
  private long lastNanos;

  /** Of the copies of a node, for who leads. */
  public LoadMeter(
      NodeContext context,
      CopyTable copies,
      RebalanceSettings settings,
      Supplier<Optional<NodeId>> leader) {
    this.context = context;
    this.copies = copies;
    this.settings = settings;
    this.leader = leader;
  }

  /** Begins to tell. */
  public void start() {
    lastNanos = context.nanos();
    context.every(settings.periodNanos(), this::period);
  }

  private Metered of(Copy copy) {
    Metered one = metered.get(copy.id());
    if (one == null || one.copy != copy) {
      one = new Metered(copy);
      metered.put(copy.id(), one);
    }
    return one;
  }

  /** A copy here answers a read. */
  public void read(Copy copy) {
    of(copy).reads++;
  }

  /** A commit has written to a copy that is served here. */
  public void updated(Copy copy, List<VersionedWrite> writes) {
    Metered one = of(copy);
    one.updates++;
    for (VersionedWrite write : writes) {
      one.written += write.bytes();
    }
  }

  /** The map has changed: what is new here is told before the period is over. */
  public void changed() {
    if (!soon) {
      soon = true;
      context.after(
          Math.max(1, settings.periodNanos() / 10),
          () -> {
            soon = false;
            look();
          });
    }
  }

  /** Another node leads, and knows nothing yet. */
  public void tellAll() {
    metered.values().forEach(one -> one.told = Optional.empty());
    changed();
  }

  private void period() {
    long now = context.nanos();
    double seconds = Math.max(1, now - lastNanos) / SECOND;
    lastNanos = now;
    for (Metered one : metered.values()) {
      double reads = one.reads / seconds;
      double updates = one.updates / seconds;
      one.readRate = one.periods == 0 ? reads : (one.readRate + reads) / 2;
      one.updateRate = one.periods == 0 ? updates : (one.updateRate + updates) / 2;
      one.reads = 0;
      one.updates = 0;
      one.periods++;
    }
    look();
  }

  private void look() {
    metered.values().removeIf(one -> !copies.isCurrent(one.copy));
    for (Copy copy : copies.all()) {
      if (copy.serving() || copy.following()) {
        Metered one = of(copy);
        if (copy.serving() && !one.sizing && wantsSize(one)) {
          one.sizing = true;
          toSize.add(one);
        }
      }
    }
    size();
    tell();
  }

  private static boolean wantsSize(Metered one) {
    return one.size.isEmpty()
        || one.written > one.size.get().bytes() * WRITTEN_PART
        || (one.written > 0 && one.periods - one.sizedAt >= PERIODS_SIZED);
  }

  /** One at a time: it must not keep the engine from its work. */
  private void size() {
    Metered next = sizing ? null : toSize.poll();
    if (next == null) {
      return;
    }
    sizing = true;
    long written = next.written;
    context.engine(
        token -> context.ports().engine().size(token, next.copy.keys()),
        result -> {
          sizing = false;
          next.sizing = false;
          if (result instanceof EngineResult.Size found) {
            next.size = Optional.of(found);
            next.written -= written;
            next.sizedAt = next.periods;
          }
          if (toSize.isEmpty()) {
            tell();
          } else {
            size();
          }
        });
  }

  private void tell() {
    Optional<NodeId> to = leader.get();
    if (to.isEmpty()) {
      return;
    }
    List<CopyLoad> news = new ArrayList<>();
    for (Metered one : metered.values()) {
      Optional<CopyLoad> load = load(one);
      if (load.isPresent() && isNews(one, load.get())) {
        one.told = load;
        one.toldAt = one.periods;
        news.add(load.get());
      }
    }
    for (int from = 0; from < news.size(); from += REPORT_MAX) {
      List<CopyLoad> part = news.subList(from, Math.min(news.size(), from + REPORT_MAX));
      context.send(to.get(), new LoadReport(List.copyOf(part)));
    }
  }

  /** What a copy holds is said by its primary only. */
  private static Optional<CopyLoad> load(Metered one) {
    Copy copy = one.copy;
    boolean answers = copy.following() || (copy.serving() && one.size.isPresent());
    if (!answers) {
      return Optional.empty();
    }
    EngineResult.Size size = one.size.orElse(new EngineResult.Size(0, 0));
    return Optional.of(
        new CopyLoad(
            copy.id(),
            copy.epoch(),
            copy.serving() ? size.records() : 0,
            copy.serving() ? size.bytes() : 0,
            Math.round(one.readRate * THOUSAND),
            Math.round(one.updateRate * THOUSAND)));
  }

  private static boolean isNews(Metered one, CopyLoad now) {
    if (one.told.isEmpty() || one.periods - one.toldAt >= PERIODS_BETWEEN) {
      return true;
    }
    CopyLoad told = one.told.get();
    return !told.epoch().equals(now.epoch())
        || differ(told.bytes(), now.bytes())
        || differ(told.records(), now.records())
        || differ(told.readsMilli(), now.readsMilli())
        || differ(told.updatesMilli(), now.updatesMilli());
  }

  private static boolean differ(long told, long now) {
    return Math.abs(now - told) > told * CHANGE;
  }
}
