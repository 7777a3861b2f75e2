package org.ecstore.client.access;

import org.ecstore.key.KeyRange;

/** What is asked of one step of a scan: an interval, from which side, and at most how much. */
public record PageRequest(KeyRange interval, boolean reverse, int recordsMax, boolean keysOnly) {}
