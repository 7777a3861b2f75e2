package org.ecstore.client;

/**
 * What came of work that is done once under a key.
 *
 * @param result of the work, when it was done
 * @param doneNow whether this call did it; false if it had been done before, by this program or
 *     another one, also where the earlier call could not learn that it was
 * @param <T> what comes of the work
 */
public record Once<T>(T result, boolean doneNow) {}
