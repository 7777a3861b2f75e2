package org.ecstore.sim.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.AbortReason;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * A client that commits two things under one id, at two nodes (rule 5): on purpose, or as its
 * process image was copied. What it is told is its own affair; the copies, and what other clients
 * see of its keys, must be by the ledger. Both commits have one snapshot: once the outcome of one
 * is forgotten the other is answered as expired, and not as the first.
 */
public final class TwoFacedClient {
  private static final int COMMIT_MILLIS = 3_000;
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long CALL_NANOS = (COMMIT_MILLIS + 500) * MILLI;
  private static final int REGISTERS = 8;
  private static final int FACES = 2;

  private final World world;
  private final SimClient client;
  private final SimRandom random;
  private int answered;
  private boolean stopping;
  private boolean stopped;

  public TwoFacedClient(World world, SimClient client) {
    this.world = world;
    this.client = client;
    this.random = client.random();
  }

  /** Begins. It goes on until it is told to stop. */
  public void start() {
    pause();
  }

  /** Ends with the next answers. */
  public void stop() {
    stopping = true;
  }

  public boolean stopped() {
    return stopped;
  }

  private void pause() {
    world.scheduler().after(random.skewedNanos(10 * MILLI, 2_000 * MILLI), this::begin);
  }

  private void begin() {
    if (stopping) {
      stopped = true;
      return;
    }
    client.call(
        client.anyNode(),
        new ClientRequest.Begin(ReadLevel.SESSION, client.token()),
        CALL_NANOS,
        reply -> {
          if (reply.isPresent() && reply.get() instanceof ClientReply.Begun begun) {
            client.saw(begun.point());
            commitBoth(begun.point());
          } else {
            pause();
          }
        });
  }

  private void commitBoth(ReadPoint point) {
    TxnId txn = new TxnId(0x5000 + client.number(), client.nextSequence());
    NodeId first = client.anyNode();
    NodeId second = client.anyNode();
    for (int tries = 0; tries < REGISTERS && second.equals(first); tries++) {
      second = client.anyNode();
    }
    NodeId other = second;
    answered = 0;
    send(first, commit(txn, point));
    long later = random.chance(0.5) ? 1 : random.skewedNanos(MILLI, 2_000 * MILLI);
    world.scheduler().after(later, () -> send(other, commit(txn, point)));
  }

  private void send(NodeId node, ClientRequest.Commit commit) {
    client.call(
        node,
        commit,
        CALL_NANOS,
        reply -> {
          world.line("client " + client.number(), commit.txn() + " at " + node + ": " + reply);
          reply.ifPresent(this::learn);
          if (++answered == FACES) {
            pause();
          }
        });
  }

  private void learn(ClientReply reply) {
    if (reply instanceof ClientReply.Aborted aborted
        && aborted.reason() instanceof AbortReason.CatalogChanged changed) {
      client.sawCatalog(changed.version());
    }
  }

  private ClientRequest.Commit commit(TxnId txn, ReadPoint point) {
    TreeSet<Bytes> keys = new TreeSet<>();
    for (int i = random.between(1, 4); i > 0; i--) {
      keys.add(SimKeys.register(random.between(0, REGISTERS - 1)));
    }
    List<KeyWrite> writes = new ArrayList<>();
    for (Bytes key : keys) {
      Bytes value = Bytes.utf8(txn + " " + random.between(0, 1_000_000));
      writes.add(new KeyWrite(key, Optional.of(value)));
    }
    return new ClientRequest.Commit(
        txn,
        point,
        random.chance(0.5) ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT,
        List.of(),
        List.of(),
        writes,
        COMMIT_MILLIS,
        Optional.of(CatalogStamp.at(client.catalogVersion())));
  }
}
