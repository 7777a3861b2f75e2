/** A first run of ecStore on a real graph: the paper's befriend transactions (§6.1), checked. */
@NullMarked
package org.ecstore.tools.quickstart;

import org.jspecify.annotations.NullMarked;
