@NullMarked
package org.ecstore.spring.boot4;

import org.jspecify.annotations.NullMarked;
