package org.ecstore.wire.client;

import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;

/**
 * Who serves a range: what a client caches. The address is {@code host:port}, or empty if not
 * known.
 */
public record Route(RangeId range, Epoch epoch, KeyRange keys, NodeId primary, String address) {}
