/** What all storage engines share: how opening one fails. */
@NullMarked
package org.ecstore.engines;

import org.jspecify.annotations.NullMarked;
