@NullMarked
package org.ecstore.spring.boot;

import org.jspecify.annotations.NullMarked;
