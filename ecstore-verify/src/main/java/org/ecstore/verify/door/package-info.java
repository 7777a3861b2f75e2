/** What stands at a node's port from outside, knowing no more than the wire format. */
@NullMarked
package org.ecstore.verify.door;

import org.jspecify.annotations.NullMarked;
