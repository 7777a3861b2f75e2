/** A store for tests with JUnit: {@link org.ecstore.junit.EcStoreTest}. */
@NullMarked
package org.ecstore.junit;

import org.jspecify.annotations.NullMarked;
