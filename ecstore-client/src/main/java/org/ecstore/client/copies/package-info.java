/** Which copy of a range a client reads from, and what it remembers of copies to choose well. */
@NullMarked
package org.ecstore.client.copies;

import org.jspecify.annotations.NullMarked;
