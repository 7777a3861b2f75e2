package org.ecstore.core.message;

/** A message from node to node. Each stratum declares its own as a sealed family of records. */
public interface NodeMessage {}
