/** What applications state of their load and their response times: service-level objectives. */
@NullMarked
package org.ecstore.model.objective;

import org.jspecify.annotations.NullMarked;
