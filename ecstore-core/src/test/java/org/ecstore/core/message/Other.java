package org.ecstore.core.message;

/** A message of no table, for tests. */
record Other() implements NodeMessage {}
