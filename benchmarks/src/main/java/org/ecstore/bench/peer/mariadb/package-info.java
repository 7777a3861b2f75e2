/** MariaDB, started here, and as a store under the loads. */
@NullMarked
package org.ecstore.bench.peer.mariadb;

import org.jspecify.annotations.NullMarked;
