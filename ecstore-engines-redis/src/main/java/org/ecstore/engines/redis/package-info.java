/** The store on a Redis server, in its memory (decision 0052). */
@NullMarked
package org.ecstore.engines.redis;

import org.jspecify.annotations.NullMarked;
