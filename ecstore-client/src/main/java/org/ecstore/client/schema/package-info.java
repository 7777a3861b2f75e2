/** What a record or enum says about how its values are stored, so that it may change. */
@NullMarked
package org.ecstore.client.schema;

import org.jspecify.annotations.NullMarked;
