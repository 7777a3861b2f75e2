/** The shop's pages. */
@NullMarked
package org.ecstore.bookstore.web;

import org.jspecify.annotations.NullMarked;
