/**
 * Attackers: they see nothing of a node but its ports. What they try ends no node, makes none keep
 * what it was sent, and keeps no honest client out (issue 14, part B).
 */
@NullMarked
package org.ecstore.tools.attack;

import org.jspecify.annotations.NullMarked;
