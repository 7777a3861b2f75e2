/**
 * What clusters that were not measured would do: interpolation, a fitted curve, and how far they
 * err.
 */
@NullMarked
package org.ecstore.txn.qos.predict;

import org.jspecify.annotations.NullMarked;
