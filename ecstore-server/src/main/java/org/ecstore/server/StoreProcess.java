package org.ecstore.server;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import org.ecstore.client.error.EcStoreException;

/**
 * The program of a process with an embedded store's node, for an application whose own Java is too
 * old for it. One argument, the directory. Says {@code serves HOST:PORT} on standard output once it
 * serves, or in one line why not, and ends when standard input does.
 */
public final class StoreProcess {
  private static final int FAILED = 1;

  private StoreProcess() {}

  /** Runs until standard input ends. */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = System.out;
    // A log that goes there must not come between what is said.
    System.setOut(System.err);
    if (arguments.length != 1) {
      out.println("one argument is needed, the directory");
      System.exit(FAILED);
    }
    try (LocalCluster cluster = EmbeddedStore.start(Path.of(arguments[0]), true)) {
      out.println("serves " + cluster.addresses());
      awaitEnd();
    } catch (EcStoreException e) {
      out.println(e.text());
      System.exit(FAILED);
    }
  }

  private static void awaitEnd() throws IOException {
    while (System.in.read() >= 0) {
      // What is said is of no interest.
    }
  }
}
