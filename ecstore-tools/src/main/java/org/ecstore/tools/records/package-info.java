/** Records of a table as lines of a file, in and out. */
@NullMarked
package org.ecstore.tools.records;

import org.jspecify.annotations.NullMarked;
