/** The social graph of the paper's evaluation (§6): users, and friendships between them. */
@NullMarked
package org.ecstore.bench.social;

import org.jspecify.annotations.NullMarked;
