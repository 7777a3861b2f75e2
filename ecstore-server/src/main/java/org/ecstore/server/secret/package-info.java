/** Where a node's secret comes from: files, and the configuration. */
@NullMarked
package org.ecstore.server.secret;

import org.jspecify.annotations.NullMarked;
