/** What a client tells nodes of the service that it has, along with its requests. */
@NullMarked
package org.ecstore.client.report;

import org.jspecify.annotations.NullMarked;
