package org.ecstore.sim.node;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.Ports;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Row;

/** The engine and the ledger of one node, which note by token what a call will have cost. */
final class CostedPorts {
  private final CallCosts costs;
  private final Map<Long, Long> engineCalls = new HashMap<>();
  private final Map<Long, Long> appends = new HashMap<>();

  CostedPorts(CallCosts costs) {
    this.costs = costs;
  }

  /** The same ports, noted. */
  Ports over(Ports ports) {
    return new Ports(
        ports.clock(),
        ports.timers(),
        ports.random(),
        ports.network(),
        new NotedEngine(ports.engine()),
        new NotedLedger(ports.ledger()),
        ports.coordination(),
        ports.log(),
        ports.metrics());
  }

  /** What an event costs, together with the call that it completes. */
  long cost(Event event) {
    return costs.event(event)
        + switch (event) {
          case Event.EngineDone(long token, var _) -> taken(engineCalls, token);
          case Event.LedgerDone(long token, LedgerResult.Entries entries) ->
              taken(appends, token) + costs.replay(records(entries));
          case Event.LedgerDone(long token, var _) -> taken(appends, token);
          default -> 0;
        };
  }

  private static int records(LedgerResult.Entries entries) {
    return entries.entries().stream().mapToInt(entry -> entry.records().size()).sum();
  }

  private static long taken(Map<Long, Long> calls, long token) {
    Long cost = calls.remove(token);
    return cost == null ? 0 : cost;
  }

  private final class NotedEngine implements Engine {
    private final Engine engine;

    NotedEngine(Engine engine) {
      this.engine = engine;
    }

    @Override
    public EngineTraits profile() {
      return engine.profile();
    }

    @Override
    public void read(long token, List<Bytes> keys, Position at, int bytesMax) {
      engineCalls.put(token, costs.read(keys.size()));
      engine.read(token, keys, at, bytesMax);
    }

    @Override
    public void scan(long token, ScanSpec spec) {
      engineCalls.put(token, costs.scan(spec));
      engine.scan(token, spec);
    }

    @Override
    public void newest(long token, List<Bytes> keys, List<KeyRange> intervals, Position above) {
      engineCalls.put(token, costs.newest(keys.size(), intervals.size()));
      engine.newest(token, keys, intervals, above);
    }

    @Override
    public void apply(long token, EngineBatch batch) {
      engineCalls.put(token, costs.apply(batch));
      engine.apply(token, batch);
    }

    @Override
    public double fill() {
      return engine.fill();
    }

    @Override
    public long windowBytes() {
      return engine.windowBytes();
    }

    @Override
    public void load(long token, List<Row> rows) {
      engine.load(token, rows);
    }

    @Override
    public void restore(KeyRange keys, Position folded, Position folding) {
      engine.restore(keys, folded, folding);
    }

    @Override
    public void sync(long token) {
      engine.sync(token);
    }

    @Override
    public void fold(long token, KeyRange keys, Position readable, Position through) {
      engine.fold(token, keys, readable, through);
    }

    @Override
    public void clear(long token, KeyRange keys) {
      engine.clear(token, keys);
    }

    @Override
    public void middle(long token, KeyRange keys) {
      engine.middle(token, keys);
    }

    @Override
    public void size(long token, KeyRange keys) {
      engine.size(token, keys);
    }

    @Override
    public void metadata(long token) {
      engine.metadata(token);
    }
  }

  private final class NotedLedger implements Ledger {
    private final Ledger ledger;

    NotedLedger(Ledger ledger) {
      this.ledger = ledger;
    }

    @Override
    public void fence(long token) {
      ledger.fence(token);
    }

    @Override
    public void cancel(long token) {
      ledger.cancel(token);
    }

    @Override
    public boolean isLost() {
      return ledger.isLost();
    }

    @Override
    public void append(long token, LedgerEntry entry) {
      appends.put(token, costs.append(entry.records().size()));
      ledger.append(token, entry);
    }

    @Override
    public void read(long token, Position from, int bytesMax) {
      ledger.read(token, from, bytesMax);
    }

    @Override
    public void trim(long token, Position below) {
      ledger.trim(token, below);
    }
  }
}
