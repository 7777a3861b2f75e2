/** Where copies go: the shift-key placement (rule 22). */
@NullMarked
package org.ecstore.replication.placement;

import org.jspecify.annotations.NullMarked;
