/** How two nodes prove themselves to each other, and what seals their frames (decision 0035). */
@NullMarked
package org.ecstore.server.net.proof;

import org.jspecify.annotations.NullMarked;
