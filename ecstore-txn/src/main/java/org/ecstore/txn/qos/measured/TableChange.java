package org.ecstore.txn.qos.measured;

/**
 * One change of the tables.
 *
 * @param number counts them, from 1
 * @param request the id of the request that asked for it; 0 if it had none
 * @param atMillis when it was asked for, in milliseconds since 1970 by the clock of who asked
 * @param isRemoved whether there is no such table any more
 */
public record TableChange(
    long number, long request, long atMillis, boolean isRemoved, String name) {}
