/** {@code ecstore measure}: commits, take-overs, restarts, replay, recovery and liveness. */
@NullMarked
package org.ecstore.tools.cli.measure;

import org.jspecify.annotations.NullMarked;
