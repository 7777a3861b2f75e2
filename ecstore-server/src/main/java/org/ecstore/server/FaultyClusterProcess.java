package org.ecstore.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.ecstore.client.embedded.FaultCommand;
import org.ecstore.client.embedded.FaultyCluster;
import org.ecstore.client.error.EcStoreException;

/**
 * The program of a process with a cluster for tests, for an application whose own Java is too old
 * for its nodes. Two arguments, the directory and how many nodes. Says {@code serves ADDRESSES} on
 * standard output once they serve, or in one line why not; then answers each line of standard input
 * by one ({@link FaultCommand}), and ends when that does.
 */
public final class FaultyClusterProcess {
  private static final int FAILED = 1;
  private static final int ARGUMENTS = 2;

  private FaultyClusterProcess() {}

  /** Runs until standard input ends. */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = System.out;
    // A log that goes there must not come between what is said.
    System.setOut(System.err);
    if (arguments.length != ARGUMENTS) {
      out.println("two arguments are needed, the directory and how many nodes");
      System.exit(FAILED);
    }
    try (LocalFaultyCluster cluster =
        FaultyClustersHere.startHere(Path.of(arguments[0]), Integer.parseInt(arguments[1]))) {
      out.println("serves " + cluster.addresses());
      obey(cluster, out);
    } catch (EcStoreException e) {
      out.println(e.text());
      System.exit(FAILED);
    }
  }

  private static void obey(FaultyCluster cluster, PrintStream out) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println(FaultCommand.obey(cluster, line));
    }
  }
}
