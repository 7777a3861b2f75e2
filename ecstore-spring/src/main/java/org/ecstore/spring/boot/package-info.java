/** What Spring Boot makes of an application that has a store's starter. */
@NullMarked
package org.ecstore.spring.boot;

import org.jspecify.annotations.NullMarked;
