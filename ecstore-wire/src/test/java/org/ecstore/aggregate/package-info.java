@NullMarked
package org.ecstore.aggregate;

import org.jspecify.annotations.NullMarked;
