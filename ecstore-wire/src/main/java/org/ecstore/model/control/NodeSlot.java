package org.ecstore.model.control;

/**
 * What a node had to do in a slot of half a minute, or as long as a check of the controller.
 *
 * @param agoMillis how long the slot has been over
 * @param load how busy it was and how long requests waited in the mean of what it said, lookups and
 *     misses of all of it, and the most that its engine was behind
 */
public record NodeSlot(long agoMillis, NodeLoad load) {}
