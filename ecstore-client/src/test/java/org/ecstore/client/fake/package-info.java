/** A small right cluster in memory, with faults on demand, behind the client's connector port. */
@NullMarked
package org.ecstore.client.fake;

import org.jspecify.annotations.NullMarked;
