/** The secret that the nodes and operators of a cluster share, and what they prove by it. */
@NullMarked
package org.ecstore.server.secret;

import org.jspecify.annotations.NullMarked;
