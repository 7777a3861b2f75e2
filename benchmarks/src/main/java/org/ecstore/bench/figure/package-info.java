/** The paper's figures: what is run, what is claimed. */
@NullMarked
package org.ecstore.bench.figure;

import org.jspecify.annotations.NullMarked;
