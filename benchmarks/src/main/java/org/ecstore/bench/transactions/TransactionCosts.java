package org.ecstore.bench.transactions;

import org.ecstore.bench.cost.CostModel;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Event;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.message.ReplicationMessage;
import org.ecstore.sim.node.CallCosts;
import org.ecstore.txn.message.TxnMessage;

/**
 * What transactions cost their nodes by the measured costs: each message by the records in it,
 * taken in and answered; the engine's work by keys and writes, on whichever node does it, a
 * coordinator's own vote among them; the ledger's by records, at the sequencer and at all who read
 * it.
 *
 * @param scanned how many records the scans of the workload have, though none is there
 */
public record TransactionCosts(CostModel costs, int scanned) implements CallCosts {
  private static final long LITTLE_NANOS = 1_000;
  private static final long COORDINATION_NANOS = 10_000;

  @Override
  public long event(Event event) {
    return switch (event) {
      case Event.Called(var _, ClientRequest request) -> called(request);
      case Event.Delivered(var envelope) ->
          costs.message(records(envelope.body())) + costs.message(1);
      case Event.EngineDone _, Event.LedgerDone _, Event.TimerFired _ -> LITTLE_NANOS;
      case Event.ClientGone _,
          Event.Greeted _,
          Event.Reported _,
          Event.CoordinationDone _,
          Event.MembersChanged _,
          Event.LeaderHinted _,
          Event.KeyChanged _,
          Event.Displaced _,
          Event.PartFailed _ ->
          COORDINATION_NANOS;
    };
  }

  private long called(ClientRequest request) {
    return switch (request) {
      case ClientRequest.Scan _ -> costs.message(1) + costs.message(scanned);
      case ClientRequest.EndSnapshot _ -> costs.message(1);
      case ClientRequest.Commit commit ->
          costs.message(commit.reads().size() + commit.writes().size()) + costs.message(1);
      default -> 2 * costs.message(1);
    };
  }

  private static int records(NodeMessage message) {
    return switch (message) {
      case TxnMessage.VoteRequest vote -> vote.reads().size() + vote.writes().size();
      case TxnMessage.Submit submit -> submit.writes().size();
      case TxnMessage.Decided decided -> decided.writes().size();
      case ReplicationMessage.StreamUpdate update -> update.writes().size();
      default -> 1;
    };
  }

  @Override
  public long read(int keys) {
    return keys * costs.read();
  }

  @Override
  public long scan(ScanSpec spec) {
    return costs.query(scanned);
  }

  @Override
  public long newest(int keys, int intervals) {
    return keys * costs.read() + intervals * costs.query(scanned);
  }

  @Override
  public long apply(EngineBatch batch) {
    return batch.writes().size() * costs.write();
  }

  @Override
  public long append(int records) {
    return records * costs.logRecord();
  }

  @Override
  public long replay(int records) {
    return records * costs.messageRecord();
  }
}
