/** What operators ask the node that leads, and tell it, through any node. */
@NullMarked
package org.ecstore.client.operator;

import org.jspecify.annotations.NullMarked;
