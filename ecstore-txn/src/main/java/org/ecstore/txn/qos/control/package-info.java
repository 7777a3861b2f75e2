/**
 * Does what keeps the promises to applications: looks at what their clients have, foresees what
 * would help, does one thing at a time and measures what it has brought (decision 0077).
 */
@NullMarked
package org.ecstore.txn.qos.control;

import org.jspecify.annotations.NullMarked;
