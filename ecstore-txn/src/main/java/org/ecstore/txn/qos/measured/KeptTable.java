package org.ecstore.txn.qos.measured;

/**
 * A table as it is kept.
 *
 * @param text of ecStore's own form, without remarks
 * @param sinceMillis when it was asked for, in milliseconds since 1970 by the clock of who asked
 */
public record KeptTable(String name, String text, long sinceMillis) {}
