/** The command that starts the shop for people. */
@NullMarked
package org.ecstore.bench.cli.shop;

import org.jspecify.annotations.NullMarked;
