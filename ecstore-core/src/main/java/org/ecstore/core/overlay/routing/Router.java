package org.ecstore.core.overlay.routing;

import java.util.Optional;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.NodeLinks;
import org.ecstore.core.overlay.Place;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;

/**
 * Decides where a node sends a request for a key: straight to the primary while the cache knows the
 * range (zero hops), else along the links of the tree (rule 20: the full map is a cache, not a
 * need). The cache may be out of date; the answer {@code WrongRange} then brings newer descriptors
 * to {@link #cache}. Owned by one event loop.
 *
 * <p>Paper: ecStore §3 ("caches enough routing information").
 */
public final class Router {
  private final NodeId self;
  private final RangeCache cache;
  private NodeLinks links;

  /** A router for the node whose links these are. */
  public Router(NodeLinks links, RangeCache cache) {
    this.self = links.self().node();
    this.links = links;
    this.cache = cache;
  }

  /** What is known of ranges; to be taught by answers. */
  public RangeCache cache() {
    return cache;
  }

  /** The tree changed: the node's links are others now. */
  public void relink(NodeLinks newer) {
    links = newer;
  }

  /** Where a request that starts here goes. */
  public Hop route(Bytes key) {
    return cached(key).orElseGet(() -> follow(links.firstHop(key)));
  }

  /** Where a request goes that another node passed on to this one. */
  public Hop passOn(Bytes key, NodeId sender) {
    return cached(key).orElseGet(() -> follow(links.nextHop(key, sender)));
  }

  private Optional<Hop> cached(Bytes key) {
    Optional<RangeDescriptor> known = cache.find(key);
    if (known.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        known.get().primary().equals(self) ? new Hop.Here() : new Hop.Cached(known.get()));
  }

  private static Hop follow(Optional<Place> link) {
    return link.isPresent() ? new Hop.Link(link.get()) : new Hop.Here();
  }
}
