/**
 * What can go wrong, one exception a cause. It lies below keys and levels of freshness, which throw
 * these exceptions as the client does (decision 0045), and names of the library only ids.
 */
@NullMarked
package org.ecstore.client.error;

import org.jspecify.annotations.NullMarked;
