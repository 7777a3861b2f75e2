package org.ecstore.replication.load;

import org.ecstore.key.KeyRange;

/**
 * A bucket of a histogram, as it is at one time.
 *
 * @param share the part of the copy's keys that it holds, by the position map: from 0 to 1
 */
public record Bucket(KeyRange keys, Rates rates, double share) {}
