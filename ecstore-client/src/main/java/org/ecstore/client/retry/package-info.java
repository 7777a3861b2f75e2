/** When to try again, when to ask, when to give up: decisions without I/O, clock or randomness. */
@NullMarked
package org.ecstore.client.retry;

import org.jspecify.annotations.NullMarked;
