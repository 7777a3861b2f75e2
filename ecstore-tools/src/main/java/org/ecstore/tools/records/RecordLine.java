package org.ecstore.tools.records;

import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * A record of a table.
 *
 * @param key within the table
 * @param value as it is stored
 */
public record RecordLine(Tuple key, Bytes value) {}
