/** Where ranges are, as far as this client knows, and calls that are tried again. */
@NullMarked
package org.ecstore.client.routing;

import org.jspecify.annotations.NullMarked;
