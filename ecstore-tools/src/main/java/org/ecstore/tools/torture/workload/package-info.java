/** What clients do while a cluster is tortured, and what their histories are judged by. */
@NullMarked
package org.ecstore.tools.torture.workload;

import org.jspecify.annotations.NullMarked;
