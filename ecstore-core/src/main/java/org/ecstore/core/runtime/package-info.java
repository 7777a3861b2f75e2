/**
 * What every component of a node stands on: calls with continuations, timers, messages, one event
 * loop.
 */
@NullMarked
package org.ecstore.core.runtime;

import org.jspecify.annotations.NullMarked;
