/** The one place where a store tells what it does, for metrics, traces and sessions. */
@NullMarked
package org.ecstore.client.observe;

import org.jspecify.annotations.NullMarked;
