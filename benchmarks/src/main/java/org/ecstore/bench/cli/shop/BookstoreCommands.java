package org.ecstore.bench.cli.shop;

import org.ecstore.tools.cli.MoreCommands;

/** Adds {@code bookstore} to the command line. */
public final class BookstoreCommands implements MoreCommands {
  /** Called by the service loader. */
  public BookstoreCommands() {}

  @Override
  public Object command() {
    return new BookstoreCommand();
  }
}
