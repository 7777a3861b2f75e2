/** Small parts under a microscope: what is called for each operation, measured with JMH. */
@NullMarked
package org.ecstore.bench.micro;

import org.jspecify.annotations.NullMarked;
