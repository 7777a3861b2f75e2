@NullMarked
package org.ecstore.client.micrometer;

import org.jspecify.annotations.NullMarked;
