/** {@code ecstore qos measure}, which measures the tables that plans are made by, and validate. */
@NullMarked
package org.ecstore.bench.cli.tables;

import org.jspecify.annotations.NullMarked;
