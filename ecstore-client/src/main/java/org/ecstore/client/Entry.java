package org.ecstore.client;

import org.ecstore.key.Tuple;

/**
 * A record of a table, as a scan finds it.
 *
 * @param <V> the type of the values
 */
public record Entry<V>(Tuple key, V value) {}
