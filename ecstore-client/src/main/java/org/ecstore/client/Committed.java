package org.ecstore.client;

import java.util.Optional;
import org.ecstore.id.Position;
import org.jspecify.annotations.Nullable;

/**
 * What came of a transaction that is committed and durable.
 *
 * @param result of its work
 * @param number its commit number: greater than those of all transactions whose commits it follows;
 *     absent if nothing was written
 * @param <T> what comes of the work
 */
public record Committed<T extends @Nullable Object>(T result, Optional<Position> number) {}
