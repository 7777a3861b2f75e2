package org.ecstore.txn.qos.control;

/**
 * What a response time is foretold to become.
 *
 * @param times so many times as long as it is; infinite where more would wait than a table has
 * @param by what it was foretold, with the cells that decided, in words
 */
record Foretold(double times, String by) {}
