/** Directories that one process owns, and files replaced whole. */
@NullMarked
package org.ecstore.server.file;

import org.jspecify.annotations.NullMarked;
