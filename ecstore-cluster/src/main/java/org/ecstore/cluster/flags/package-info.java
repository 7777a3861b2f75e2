/** The flags of the virtual machines that nodes run in. */
@NullMarked
package org.ecstore.cluster.flags;

import org.jspecify.annotations.NullMarked;
