/** Commits: what a transaction read and wrote, sent to a coordinator until its outcome is known. */
@NullMarked
package org.ecstore.client.commit;

import org.jspecify.annotations.NullMarked;
