package org.ecstore.client.read;

/**
 * What a scan gives.
 *
 * @param reverse from the greatest key to the least
 * @param keysOnly values are empty
 * @param ordered in that order, rather than as pages come. Without it, a page is in order in itself
 */
public record ScanShape(boolean reverse, boolean keysOnly, boolean ordered) {}
