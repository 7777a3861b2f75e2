package org.ecstore.bench.cli.offline;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.ecstore.bench.page.HtmlPage;
import org.ecstore.bench.page.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ecstore bench report}. */
@Command(
    name = "report",
    description = {
      "Makes one page to look at of what the other commands print with --json.",
      "",
      "Throughput, latency, its distribution and processor time of each workload and store, and how"
          + " each store was set. The page needs nothing but itself."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench compare --json > compared.json",
      "  ecstore bench photos --json > photos.json",
      "  ecstore bench report compared.json photos.json --out report.html"
    })
public final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description =
          "JSON objects that bench ycsb, social, photos, smallbank, hosts or compare printed.")
  private List<Path> files = List.of();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description = "The page; an earlier one is written over, and no other file.")
  private Path page = Path.of("");

  @Override
  public Integer call() throws IOException {
    Results results = new Results();
    for (Path file : files) {
      if (!Files.exists(file)) {
        throw new NoSuchFileException(file.toString());
      }
      if (Files.exists(page) && Files.isSameFile(file, page)) {
        throw new ParameterException(
            spec.commandLine(), "--out would write over " + file + ", which is read: name another");
      }
      try {
        results.add(file);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
      }
    }
    if (results.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "no results in " + files + ": give what a measurement printed with --json");
    }
    if (Files.isRegularFile(page) && Files.size(page) > 0 && !isPage()) {
      throw new ParameterException(
          spec.commandLine(), "--out: " + page + " is there, and is no such page: name another");
    }
    Files.writeString(page, new HtmlPage(results).html());
    spec.commandLine().getOut().println(page);
    spec.commandLine().getOut().flush();
    return 0;
  }

  /** A byte is a character: what is no text is no page. */
  private boolean isPage() throws IOException {
    return HtmlPage.isPage(Files.readString(page, StandardCharsets.ISO_8859_1));
  }
}
