/** A store for tests with JUnit, or a cluster: {@link org.ecstore.junit.EcStoreTest}. */
@NullMarked
package org.ecstore.junit;

import org.jspecify.annotations.NullMarked;
