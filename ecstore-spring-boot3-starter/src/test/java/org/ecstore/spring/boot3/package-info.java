@NullMarked
package org.ecstore.spring.boot3;

import org.jspecify.annotations.NullMarked;
