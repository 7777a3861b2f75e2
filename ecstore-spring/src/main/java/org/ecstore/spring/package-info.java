/** A store in applications of Spring: declarative transactions, retries, sessions over HTTP. */
@NullMarked
package org.ecstore.spring;

import org.jspecify.annotations.NullMarked;
