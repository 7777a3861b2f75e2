/**
 * Plans by performance tables: which tables there are, what they say to a demand, and its words.
 */
@NullMarked
package org.ecstore.tools.plan;

import org.jspecify.annotations.NullMarked;
