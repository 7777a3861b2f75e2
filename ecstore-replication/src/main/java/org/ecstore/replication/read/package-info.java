/** Reading one range at a snapshot (rule 10). */
@NullMarked
package org.ecstore.replication.read;

import org.jspecify.annotations.NullMarked;
