/** What is known about a start that was refused, whatever part of the node refused it. */
@NullMarked
package org.ecstore.server.refusal;

import org.jspecify.annotations.NullMarked;
