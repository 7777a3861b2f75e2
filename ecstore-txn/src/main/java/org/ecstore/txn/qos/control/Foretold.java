package org.ecstore.txn.qos.control;

import java.util.OptionalDouble;

/**
 * What a response time is foretold to become.
 *
 * @param times so many times as long as it is; infinite where more would wait than a table has
 * @param by what it was foretold, with the cells that decided, in words
 * @param slower so many times as long as the table has it of the place where the cluster is; empty
 *     if it was not foretold by a table
 */
record Foretold(double times, String by, OptionalDouble slower) {}
