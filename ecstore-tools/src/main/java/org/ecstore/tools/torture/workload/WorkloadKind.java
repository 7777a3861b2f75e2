package org.ecstore.tools.torture.workload;

/** What clients do. */
public enum WorkloadKind {
  /** Append to lists and read them. */
  APPEND,
  /** Write values and read them. */
  REGISTER,
  /** Move amounts between accounts and read all of them. */
  BANK
}
