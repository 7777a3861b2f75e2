package org.ecstore.core.overlay.routing;

import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.Place;

/** Where a request for a key goes next. */
public sealed interface Hop {
  /** It stays: this node owns the key. */
  record Here() implements Hop {}

  /** To the primary of a range known from the cache: no node in between. */
  record Cached(RangeDescriptor range) implements Hop {}

  /** Along a link of the tree, to a node that owns the key or is nearer to it. */
  record Link(Place to) implements Hop {}
}
