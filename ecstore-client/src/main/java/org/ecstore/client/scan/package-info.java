/** Scans: pages in order, without order, and with what the transaction itself wrote. */
@NullMarked
package org.ecstore.client.scan;

import org.jspecify.annotations.NullMarked;
