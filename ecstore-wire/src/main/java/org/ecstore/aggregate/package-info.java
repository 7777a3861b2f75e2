/** What is counted and summed up over records where they are: numbers of an interval's keys. */
@NullMarked
package org.ecstore.aggregate;

import org.jspecify.annotations.NullMarked;
