/** The configuration file of a node: what may stand in it, and what is wrong with one. */
@NullMarked
package org.ecstore.cluster.config;

import org.jspecify.annotations.NullMarked;
