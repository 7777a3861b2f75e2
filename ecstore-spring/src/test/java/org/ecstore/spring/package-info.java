@NullMarked
package org.ecstore.spring;

import org.jspecify.annotations.NullMarked;
