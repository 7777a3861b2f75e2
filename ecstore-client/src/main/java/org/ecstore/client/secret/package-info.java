/** The secret that the nodes and operators of a cluster share, and what operators prove by it. */
@NullMarked
package org.ecstore.client.secret;

import org.jspecify.annotations.NullMarked;
