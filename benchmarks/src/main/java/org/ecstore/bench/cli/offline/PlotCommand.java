package org.ecstore.bench.cli.offline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.ecstore.bench.cli.options.ResultFiles;
import org.ecstore.bench.control.Interference;
import org.ecstore.bench.control.InterferencePlots;
import org.ecstore.bench.control.QosPlots;
import org.ecstore.bench.control.QosPlots.Stored;
import org.ecstore.bench.control.QosRun;
import org.ecstore.bench.elastic.ElasticityPlots;
import org.ecstore.bench.mycassandra.Experiment;
import org.ecstore.bench.mycassandra.MyCassandraResult;
import org.ecstore.bench.qos.TablePlots;
import org.ecstore.bench.validate.ValidationPlots;
import org.ecstore.tools.plan.TableFiles;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ecstore bench plot}. */
@Command(
    name = "plot",
    description = {
      "Draws the pictures of a stored result again, and measures nothing.",
      "",
      "DIR is what bench qos, bench elasticity, bench mycassandra or qos validate has left"
          + " (result.json, and samples.jsonl of bench qos); TABLE is a performance table (.csv). The"
          + " names of the pictures are printed."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench plot run --out pictures",
      "  ecstore bench plot tables/je-small-zipf-read.csv --out pictures"
    })
public final class PlotCommand implements Callable<Integer> {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String TABLE = ".csv";
  private static final long BYTES_MAX = 256L << 20;
  private static final String THOSE =
      "bench qos, bench elasticity, bench mycassandra or qos validate";

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR|TABLE", description = "What was left.")
  private Path source = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where pictures go, which are written over; made if it is not there. Beside the result"
              + " if not given.")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException {
    List<String> names = isTable() ? table() : result();
    names.forEach(spec.commandLine().getOut()::println);
    spec.commandLine().getOut().flush();
    return 0;
  }

  private boolean isTable() {
    return source.toString().endsWith(TABLE);
  }

  private Path directory(Path beside) throws IOException {
    Path directory = out;
    return directory == null ? beside : Files.createDirectories(directory);
  }

  private List<String> table() throws IOException {
    String name = String.valueOf(source.getFileName());
    String stem = name.substring(0, name.length() - TABLE.length());
    Path directory = directory(source.resolveSibling(""));
    return TablePlots.draw(TableFiles.read(source), directory, stem);
  }

  private List<String> result() throws IOException {
    Path file = source.resolve(ResultFiles.RESULT);
    if (!Files.isRegularFile(file)) {
      throw new BadInputException(
          "%s has no %s: give a directory that %s has left, or a table (%s)"
              .formatted(source, ResultFiles.RESULT, THOSE, TABLE));
    }
    JsonNode result = json(file, text(file));
    String benchmark = result.path("benchmark").asText();
    Path directory = directory(source);
    return switch (benchmark) {
      case "qos" -> QosPlots.draw(new Stored(result, samples()), directory);
      case "elasticity" -> ElasticityPlots.draw(result, directory);
      case "qos validate" -> ValidationPlots.draw(result, directory);
      case Interference.BENCHMARK -> InterferencePlots.draw(result, directory);
      case Experiment.BENCHMARK -> experiment(file, result).draw(directory);
      default ->
          throw new BadInputException(
              "%s is of \"%s\", of which there are no pictures here: give one of %s"
                  .formatted(file, benchmark, THOSE));
    };
  }

  private static MyCassandraResult experiment(Path file, JsonNode result) {
    try {
      return MyCassandraResult.of(result);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(
          "%s is not what bench mycassandra has left: %s".formatted(file, e.getMessage()));
    }
  }

  private List<JsonNode> samples() throws IOException {
    Path file = source.resolve(QosRun.SAMPLES);
    if (!Files.isRegularFile(file)) {
      throw new BadInputException(
          "%s is not there, which has what the pictures show: bench qos leaves it beside %s"
              .formatted(file, ResultFiles.RESULT));
    }
    List<JsonNode> samples = new ArrayList<>();
    for (String line : text(file).lines().toList()) {
      samples.add(json(file, line));
    }
    return samples;
  }

  private static String text(Path file) throws IOException {
    if (Files.size(file) > BYTES_MAX) {
      throw new BadInputException(
          "%s has more than %d MiB: it is no such result".formatted(file, BYTES_MAX >> 20));
    }
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new BadInputException(file + " is not what a command has left: it is no text in UTF-8");
    }
  }

  private static JsonNode json(Path file, String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new BadInputException(
          "%s is not what a command has left: %s".formatted(file, e.getOriginalMessage()));
    }
  }
}
