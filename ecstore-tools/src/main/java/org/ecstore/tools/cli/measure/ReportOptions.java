package org.ecstore.tools.cli.measure;

import java.io.PrintWriter;
import org.ecstore.tools.measure.MeasurementReport;
import picocli.CommandLine.Option;

/** How a measurement is told: a mixin of all commands that measure. */
final class ReportOptions {
  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  void print(PrintWriter out, MeasurementReport report) {
    if (json) {
      out.println(report.json());
    } else {
      out.print(report.table());
    }
    out.flush();
  }
}
