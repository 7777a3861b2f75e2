/** What Spring Boot 4 has elsewhere than the other: the health of a store. */
@NullMarked
package org.ecstore.spring.boot4;

import org.jspecify.annotations.NullMarked;
