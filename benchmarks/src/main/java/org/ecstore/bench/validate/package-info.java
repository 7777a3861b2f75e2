/**
 * Plans that are tried: objectives are drawn, a cluster is made as each plan says, and what it does
 * is held against what was predicted.
 */
@NullMarked
package org.ecstore.bench.validate;

import org.jspecify.annotations.NullMarked;
