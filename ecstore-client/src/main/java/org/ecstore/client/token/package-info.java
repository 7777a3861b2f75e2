/** Tokens of pages and of what a session has seen: sealed, so that they show no key. */
@NullMarked
package org.ecstore.client.token;

import org.jspecify.annotations.NullMarked;
