/**
 * {@code ecstore qos measure} and {@code qos model}, which make the tables of plans, and {@code qos
 * validate}, which tries these.
 */
@NullMarked
package org.ecstore.bench.cli.tables;

import org.jspecify.annotations.NullMarked;
