package org.ecstore.txn.qos.objective;

import org.ecstore.model.objective.Objective;

/**
 * One change of the objectives.
 *
 * @param number counts them, from 1
 * @param request the id of the request that asked for it; 0 if it had none
 * @param atMillis when it was asked for, in milliseconds since 1970 by the clock of who asked
 * @param removed whether the application has none any more: this one was its last
 */
public record ObjectiveChange(
    long number, long request, long atMillis, boolean removed, Objective objective) {}
