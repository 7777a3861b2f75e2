/** What both sides of the protocol speak of: rows, writes, isolation, levels, quorums, refusals. */
@NullMarked
package org.ecstore.model;

import org.jspecify.annotations.NullMarked;
