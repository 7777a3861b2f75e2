/** What a cluster does to keep what it has promised (decision 0077). */
@NullMarked
package org.ecstore.model.control;

import org.jspecify.annotations.NullMarked;
