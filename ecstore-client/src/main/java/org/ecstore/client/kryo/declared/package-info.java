/**
 * What classes declare of how they are stored: names, types, enums, and what is refused of them.
 */
@NullMarked
package org.ecstore.client.kryo.declared;

import org.jspecify.annotations.NullMarked;
