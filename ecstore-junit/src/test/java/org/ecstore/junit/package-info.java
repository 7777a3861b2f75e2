@NullMarked
package org.ecstore.junit;

import org.jspecify.annotations.NullMarked;
