package org.ecstore.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs classes of tests as a build would, in a JVM of its own. Arguments: their names. */
final class LaunchedTests {
  /** What the last line begins with. */
  static final String PASSED = "passed on Java ";

  private LaunchedTests() {}

  public static void main(String[] classes) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(
                    Stream.of(classes).map(name -> selectClass(name)).toArray(ClassSelector[]::new))
                .build(),
            listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    System.out.println(
        PASSED + Runtime.version().feature() + ": " + summary.getTestsSucceededCount());
    System.exit(summary.getTotalFailureCount() == 0 ? 0 : 1);
  }
}
