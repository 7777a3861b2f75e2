/** The store on a MariaDB or MySQL server (decision 0052). */
@NullMarked
package org.ecstore.engines.mysql;

import org.jspecify.annotations.NullMarked;
