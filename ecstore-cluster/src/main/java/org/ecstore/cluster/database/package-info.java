/**
 * Database servers of others as processes on this machine: where their programs are from, how they
 * start and end.
 */
@NullMarked
package org.ecstore.cluster.database;

import org.jspecify.annotations.NullMarked;
