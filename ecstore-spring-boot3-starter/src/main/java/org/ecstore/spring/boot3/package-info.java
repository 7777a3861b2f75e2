/** What Spring Boot 3.5 has elsewhere than the other: the health of a store. */
@NullMarked
package org.ecstore.spring.boot3;

import org.jspecify.annotations.NullMarked;
