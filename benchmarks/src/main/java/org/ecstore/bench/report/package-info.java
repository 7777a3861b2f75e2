/** What a run of figures leaves: JSON for programs, a page for people. */
@NullMarked
package org.ecstore.bench.report;

import org.jspecify.annotations.NullMarked;
