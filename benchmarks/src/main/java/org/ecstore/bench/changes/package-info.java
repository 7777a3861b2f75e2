/** How fast what is committed is told to those who follow it. */
@NullMarked
package org.ecstore.bench.changes;

import org.jspecify.annotations.NullMarked;
