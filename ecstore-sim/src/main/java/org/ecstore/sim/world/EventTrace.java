package org.ecstore.sim.world;

import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.NodeId;

/** Mixes the events that nodes handle into the trace: time, node, kind and essential fields. */
public final class EventTrace {
  private EventTrace() {}

  public static void mix(World world, NodeId node, Event event) {
    Trace trace = world.trace();
    trace.countEvent();
    trace.mix(world.nowNanos());
    trace.mix(node.value());
    trace.mix(fields(event));
    if (trace.prints()) {
      world.line(node.toString(), event.toString());
    }
  }

  private static long fields(Event event) {
    return switch (event) {
      case Event.Delivered e ->
          combine(1, e.envelope().from().value(), e.envelope().point().position().value())
              + e.envelope().body().getClass().getSimpleName().hashCode();
      case Event.Called e ->
          combine(2, e.call().connection(), e.call().correlation())
              + e.request().getClass().getSimpleName().hashCode();
      case Event.ClientGone e -> combine(3, e.connection(), 0);
      case Event.Greeted e -> combine(13, e.connection(), e.application().hashCode());
      case Event.Reported e -> combine(12, e.connection(), e.report().hashCode());
      case Event.TimerFired e -> combine(4, e.token(), 0);
      case Event.EngineDone e -> combine(5, e.token(), engine(e.result()));
      case Event.LedgerDone e -> combine(6, e.token(), ledger(e.result()));
      case Event.CoordinationDone e -> combine(7, e.token(), coordination(e.result()));
      case Event.MembersChanged e ->
          e.members().stream()
              .mapToLong(member -> combine(8, member.node().value(), member.incarnation()))
              .reduce(8, (a, b) -> a * 31 + b);
      case Event.LeaderHinted e -> combine(9, e.leader().map(NodeId::value).orElse(-1L), 0);
      case Event.KeyChanged e -> combine(10, e.key().hashCode(), 0);
      case Event.Displaced e -> combine(11, e.by(), 0);
      case Event.PartFailed e -> combine(14, e.part().hashCode(), 0);
    };
  }

  private static long engine(EngineResult result) {
    return switch (result) {
      case EngineResult.Found r ->
          r.rows().stream()
              .mapToLong(row -> row.map(found -> found.version().value()).orElse(-1L))
              .reduce(1, (a, b) -> a * 31 + b);
      case EngineResult.Rows r ->
          r.rows().stream().mapToLong(row -> row.version().value()).reduce(2, (a, b) -> a * 31 + b);
      case EngineResult.Newer r -> 3 + r.first().map(first -> first.version().value()).orElse(-1L);
      case EngineResult.Applied r -> 4;
      case EngineResult.Synced r -> 5;
      case EngineResult.Folded r -> 6 + r.keys();
      case EngineResult.Middle r -> 7 + r.key().map(Object::hashCode).orElse(0);
      case EngineResult.Metadata r -> 8 + r.metadata().size();
      case EngineResult.Size r -> 10 + r.records();
      case EngineResult.Failed r -> 9;
      case EngineResult.Overloaded r -> 10;
      case EngineResult.Lost r -> 12;
      case EngineResult.TooOld r -> 11 + r.least().value();
    };
  }

  private static long ledger(LedgerResult result) {
    return switch (result) {
      case LedgerResult.Fenced r -> combine(1, r.first().value(), r.last().value());
      case LedgerResult.Appended r -> combine(2, r.last().value(), 0);
      case LedgerResult.AppendUnknown r -> 3;
      case LedgerResult.Rejected r -> 4;
      case LedgerResult.Entries r -> combine(5, r.entries().size(), r.end().value());
      case LedgerResult.Trimmed r -> combine(6, r.first().value(), 0);
      case LedgerResult.TrimDone r -> combine(7, r.first().value(), 0);
      case LedgerResult.Failed r -> 8;
    };
  }

  private static long coordination(CoordinationResult result) {
    return switch (result) {
      case CoordinationResult.Joined r -> combine(1, r.incarnation(), 0);
      case CoordinationResult.Stored r -> combine(2, r.version(), 0);
      case CoordinationResult.Swapped r -> combine(3, r.version(), 0);
      case CoordinationResult.Lost r -> 4;
      case CoordinationResult.Leader(var leader) ->
          combine(6, leader.map(NodeId::value).orElse(-1L), 0);
      case CoordinationResult.Unknown r -> 5;
    };
  }

  private static long combine(long kind, long a, long b) {
    return SimRandom.mix(SimRandom.mix(kind * 1_000_003 + a) + b);
  }
}
