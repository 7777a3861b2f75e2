/** One value in coordination that the leading node alone changes (rule 15). */
@NullMarked
package org.ecstore.txn.qos.book;

import org.jspecify.annotations.NullMarked;
