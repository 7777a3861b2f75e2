package org.ecstore.bench.peer.echo;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.bench.store.Fields;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.id.Epoch;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** Reads of keys, which is all that is answered; what is inserted goes nowhere. */
final class EchoDb extends BenchDb {
  private static final Duration WITHIN = Duration.ofSeconds(10);

  private final NodeConnection connection;

  EchoDb(NodeConnection connection) {
    this.connection = connection;
  }

  @Override
  public void cleanup() {}

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    ClientRequest get =
        new ClientRequest.BeginWith(
            ReadLevel.SESSION,
            ReadPoint.ZERO,
            new ClientRequest.Get(
                ReadPoint.ZERO,
                new RangeId(1),
                new Epoch(1),
                List.of(Tuple.of(table, key).encode()),
                true));
    try {
      ClientReply reply = connection.call(get, WITHIN).get(WITHIN.toNanos(), TimeUnit.NANOSECONDS);
      if (reply instanceof ClientReply.BegunWith begun
          && begun.answer() instanceof ClientReply.Values values) {
        Optional<Row> row = values.rows().getFirst();
        row.ifPresent(found -> Fields.decode(found.value(), fields, result));
        return Status.OK;
      }
      return Status.UNEXPECTED_STATE;
    } catch (ExecutionException | TimeoutException e) {
      return Status.ERROR;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Status.ERROR;
    }
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return Status.OK;
  }

  @Override
  public Status readBoth(String table, String one, String other) {
    Status first = read(table, one, null, new HashMap<>());
    return first.isOk() ? read(table, other, null, new HashMap<>()) : first;
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int records,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return Status.NOT_IMPLEMENTED;
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return Status.NOT_IMPLEMENTED;
  }

  @Override
  public Status delete(String table, String key) {
    return Status.NOT_IMPLEMENTED;
  }

  @Override
  public Attempted befriend(
      String table, String one, String other, String field, byte[] value, Reads reads) {
    return new Attempted(Status.NOT_IMPLEMENTED, 0);
  }
}
