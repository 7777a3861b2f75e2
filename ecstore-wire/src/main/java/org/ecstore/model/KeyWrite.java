package org.ecstore.model;

import java.util.Optional;
import org.ecstore.key.Bytes;

/** One write of a transaction: the value to put, or absent to delete (a tombstone). */
public record KeyWrite(Bytes key, Optional<Bytes> value) {}
