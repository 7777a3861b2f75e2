/** What can go wrong, one exception a cause. */
@NullMarked
package org.ecstore.client.error;

import org.jspecify.annotations.NullMarked;
