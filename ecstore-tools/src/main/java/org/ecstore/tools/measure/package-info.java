/** Measurements of a cluster that this process or its children are: what the report is made of. */
@NullMarked
package org.ecstore.tools.measure;

import org.jspecify.annotations.NullMarked;
