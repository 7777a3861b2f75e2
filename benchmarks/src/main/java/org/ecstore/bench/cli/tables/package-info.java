/** {@code ecstore qos measure} and {@code qos model}, which make the tables of plans. */
@NullMarked
package org.ecstore.bench.cli.tables;

import org.jspecify.annotations.NullMarked;
