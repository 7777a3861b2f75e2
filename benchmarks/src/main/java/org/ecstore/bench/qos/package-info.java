/**
 * Performance tables by measurement: a cluster that grows, clients at each of its sizes, and what
 * came of it in the form that plans are made by.
 */
@NullMarked
package org.ecstore.bench.qos;

import org.jspecify.annotations.NullMarked;
