package org.ecstore.model;

import org.ecstore.id.Position;
import org.ecstore.key.Bytes;

/** A record as of a snapshot: its key, the commit number that wrote it, its value. */
public record Row(Bytes key, Position version, Bytes value) {}
