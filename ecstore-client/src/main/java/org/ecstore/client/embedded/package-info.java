/**
 * Nodes that a process starts for itself: how they are found on the class path, and clusters whose
 * nodes fail when they are told to, for the tests of applications. For ecstore-embedded and
 * ecstore-junit, and no part of what is promised.
 */
@NullMarked
package org.ecstore.client.embedded;

import org.jspecify.annotations.NullMarked;
