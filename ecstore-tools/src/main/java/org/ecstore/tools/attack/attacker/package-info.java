/** Attackers of a node's port, each with one way to hurt it. */
@NullMarked
package org.ecstore.tools.attack.attacker;

import org.jspecify.annotations.NullMarked;
