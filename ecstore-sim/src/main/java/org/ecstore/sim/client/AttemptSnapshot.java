package org.ecstore.sim.client;

import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.world.World;

/** The snapshot of an attempt: begun by itself or with the first read, and kept by a lease. */
final class AttemptSnapshot {
  private static final long CALL_TIMEOUT_NANOS = 2_000_000_000L;

  private final SimClient client;
  private final World world;
  private final Plan plan;

  /**
   * Who asks for no lease, or does not hear of it, reads on until it is told that it is too late.
   */
  private final boolean keepsLease;

  private ReadPoint point = ReadPoint.ZERO;
  private NodeId leaseNode = new NodeId(0);
  private long lease;
  private boolean begun;
  private boolean over;

  AttemptSnapshot(SimClient client, Plan plan) {
    this.client = client;
    this.world = client.world();
    this.plan = plan;
    this.keepsLease = client.random().chance(0.8);
  }

  /** Where it is; zero while it has not begun. */
  ReadPoint point() {
    return point;
  }

  boolean hasBegun() {
    return begun;
  }

  /** Begins at a node. */
  void begin(NodeId node, Runnable then, Consumer<Optional<ClientReply>> failed) {
    client.call(
        node,
        new ClientRequest.Begin(plan.level(), client.token()),
        CALL_TIMEOUT_NANOS,
        reply -> {
          if (reply.isPresent() && reply.get() instanceof ClientReply.Begun answer) {
            client.begun(true);
            begun(node, answer);
            then.run();
          } else {
            client.begun(false);
            failed.accept(reply);
          }
        });
  }

  private void begun(NodeId node, ClientReply.Begun answer) {
    point = answer.point();
    leaseNode = node;
    lease = answer.lease();
    begun = true;
    client.saw(point);
    renewLater(answer.leaseMillis());
  }

  /** A read, which is what the snapshot begins with if it has not begun yet. */
  ClientRequest first(ClientRequest.Read read) {
    return begun ? read : new ClientRequest.BeginWith(plan.level(), client.token(), read);
  }

  /** Asks for a read; the answer is to the read alone, whether something began with it or not. */
  void ask(NodeId node, ClientRequest request, Consumer<Optional<ClientReply>> answered) {
    client.call(
        node,
        request,
        CALL_TIMEOUT_NANOS,
        reply -> {
          if (reply.isPresent() && reply.get() instanceof ClientReply.BegunWith both && !begun) {
            world.happened("a snapshot begins with its first read");
            begun(node, both.begun());
            answered.accept(Optional.of(both.answer()));
          } else {
            answered.accept(reply);
          }
        });
  }

  private void renewLater(int leaseMillis) {
    if (!keepsLease) {
      return;
    }
    world
        .scheduler()
        .after(
            leaseMillis * 400_000L,
            () -> {
              if (!over && begun) {
                client.call(
                    leaseNode,
                    lease == 0
                        ? new ClientRequest.BeginAt(point.position())
                        : new ClientRequest.RenewSnapshot(lease),
                    CALL_TIMEOUT_NANOS,
                    reply -> {
                      if (reply.isPresent() && reply.get() instanceof ClientReply.Begun renewed) {
                        lease = renewed.lease();
                        renewLater(renewed.leaseMillis());
                      }
                    });
              }
            });
  }

  /** The attempt is over: the lease is not renewed any more. */
  void over() {
    over = true;
  }

  /** Gives the lease back. */
  void end() {
    if (lease != 0) {
      client.tell(leaseNode, new ClientRequest.EndSnapshot(lease));
    }
  }
}
