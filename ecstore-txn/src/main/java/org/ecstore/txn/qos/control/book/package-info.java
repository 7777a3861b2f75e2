/**
 * What the controller may do, is doing and has done, as it is kept in coordination and in words.
 */
@NullMarked
package org.ecstore.txn.qos.control.book;

import org.jspecify.annotations.NullMarked;
