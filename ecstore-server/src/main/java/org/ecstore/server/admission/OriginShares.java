package org.ecstore.server.admission;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What each peer holds of the room for requests, and each application of it. The shares count only
 * while the room is scarce: then one that has an equal share of it gets no more, so that a program
 * with many connections cannot shut out another. Where there is one peer, or one application, it
 * may have all that there is: behind one address there can be thousands of honest clients.
 *
 * <p>No share is less than a sixteenth, or a peer could make the others' worthless by names that it
 * invents. Any thread may call.
 */
final class OriginShares {
  /** As much as one connection may have while the room is scarce. */
  static final int SHARES_MAX = 16;

  private final long max;

  /** Guarded by this. */
  private final Map<String, Peer> peers = new HashMap<>();

  private volatile int peerCount;

  /** What one address holds. */
  private static final class Peer {
    private final AtomicLong held = new AtomicLong();
    private final Map<String, Share> applications = new HashMap<>();
    private volatile int applicationCount;
  }

  /** What one application at one address holds. */
  final class Share {
    private final Origin origin;
    private final Peer peer;
    private final AtomicLong held = new AtomicLong();

    /** Guarded by the shares. */
    private int connections;

    private Share(Origin origin, Peer peer) {
      this.origin = origin;
      this.peer = peer;
    }

    /**
     * What to say to one that wants more while the room is scarce, if that is too much. One that
     * holds nothing gets something in any case.
     */
    Optional<Refusal> refusal(long bytes) {
      long own = held.get();
      long ofPeer = peer.held.get();
      long peerMax = max / shares(peerCount);
      if (own > 0 && peerCount > 1 && ofPeer + bytes > peerMax) {
        return Optional.of(tooMuch("the clients at " + origin.peer() + " have ", ofPeer));
      }
      int applications = peer.applicationCount;
      return own > 0 && applications > 1 && own + bytes > peerMax / shares(applications)
          ? Optional.of(tooMuch("the application \"" + origin.application() + "\" has ", own))
          : Optional.empty();
    }

    private Refusal tooMuch(String who, long bytes) {
      return Admission.overloaded(
          "%s%d bytes of %s already while others find no room"
              .formatted(who, bytes, Stage.REQUESTS.what()));
    }

    void add(long bytes) {
      held.addAndGet(bytes);
      peer.held.addAndGet(bytes);
    }

    /** One connection less. What it still holds is given back by {@link #add}. */
    void leave() {
      OriginShares.this.leave(this);
    }
  }

  /**
   * Of a node.
   *
   * @param max the whole room, in bytes
   */
  OriginShares(long max) {
    this.max = max;
  }

  private static int shares(int those) {
    return Math.clamp(those, 1, SHARES_MAX);
  }

  /** One connection more of an origin; the caller has it leave. */
  synchronized Share join(Origin origin) {
    Peer peer = peers.computeIfAbsent(origin.peer(), _ -> new Peer());
    Share share =
        peer.applications.computeIfAbsent(
            origin.application(), application -> new Share(origin, peer));
    share.connections++;
    peer.applicationCount = peer.applications.size();
    peerCount = peers.size();
    return share;
  }

  private synchronized void leave(Share share) {
    if (--share.connections > 0) {
      return;
    }
    Peer peer = share.peer;
    peer.applications.remove(share.origin.application());
    peer.applicationCount = peer.applications.size();
    if (peer.applications.isEmpty()) {
      peers.remove(share.origin.peer());
    }
    peerCount = peers.size();
  }

  /** How many peers are connected, to be looked at. */
  int peers() {
    return peerCount;
  }
}
