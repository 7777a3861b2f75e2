/**
 * One value in coordination that the leading node alone changes, and what operators want changed of
 * it (rule 15).
 */
@NullMarked
package org.ecstore.txn.qos.book;

import org.jspecify.annotations.NullMarked;
