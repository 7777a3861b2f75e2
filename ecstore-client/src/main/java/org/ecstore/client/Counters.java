package org.ecstore.client;

/**
 * What a store's transactions came to since it was opened.
 *
 * @param committed commits that wrote something and are durable
 * @param aborted commits that did nothing
 * @param retried times that work was run again
 * @param settled times that a commit's reply was missing and its outcome was found out
 * @param unknown commits whose outcome was not found out in time
 */
public record Counters(long committed, long aborted, long retried, long settled, long unknown) {}
