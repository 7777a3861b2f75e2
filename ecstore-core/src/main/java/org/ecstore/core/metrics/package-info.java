/**
 * What a node tells of its work in numbers: metrics, each declared once, and the port that takes
 * their values.
 */
@NullMarked
package org.ecstore.core.metrics;

import org.jspecify.annotations.NullMarked;
