package org.ecstore.bench.hosts;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.Verdict;

/**
 * All that came of a measurement.
 *
 * @param copies of each range, as far as there were hosts
 * @param clients threads
 * @param models of responses, for the most hosts and records
 */
public record HostResult(HostTable table, int copies, int clients, List<ResponseModel> models) {
  /** Files that are kept. */
  public static final List<String> FILES = List.of("hosts.json", "hosts.txt");

  private static final double PAPERS_DELAY_SECONDS = 0.0004;

  /**
   * What all claims together are: not to hold if one does not, else not shown if one is not shown
   * or there is none.
   */
  public Verdict verdict() {
    List<Verdict> all = HostClaims.of(table).stream().map(Claim::verdict).toList();
    if (all.contains(Verdict.DOES_NOT_HOLD)) {
      return Verdict.DOES_NOT_HOLD;
    }
    return all.isEmpty() || all.contains(Verdict.NOT_SHOWN) ? Verdict.NOT_SHOWN : Verdict.HOLDS;
  }

  /** For people. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("(average latency in seconds,elapsed time in seconds)");
    lines.add(
        "All hosts are processes of this machine and share its %d processors with %d clients."
            .formatted(Runtime.getRuntime().availableProcessors(), clients));
    lines.add(
        copies == 1
            ? "Each record is in a primary alone."
            : "Each record is in a primary and %d replica%s, where there are as many hosts."
                .formatted(copies - 1, copies == 2 ? ", as in the paper" : "s"));
    for (ResponseModel model : models) {
      lines.add("");
      lines.addAll(model.lines());
    }
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "If each component delayed twice as much as the one before, %.4f s more at the first would"
                + " be %.4f s at the last (the paper's progression).",
            PAPERS_DELAY_SECONDS,
            ResponseModel.grown(PAPERS_DELAY_SECONDS)));
    lines.add("");
    for (Claim claim : HostClaims.of(table)) {
      lines.add(claim.paper());
      lines.add("  " + claim.verdict().words() + ": " + claim.found() + "; " + claim.decided());
    }
    lines.add("all claims together: " + verdict().words());
    return lines;
  }

  /** As JSON: an object with the cells, the claims and the models. */
  public ObjectNode json() {
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("benchmark", "ecstore bench hosts")
        .put("processors", Runtime.getRuntime().availableProcessors())
        .put("copies", copies)
        .put("clients", clients);
    ArrayNode cells = json.putArray("cells");
    for (int hosts : table.hosts()) {
      for (long records : table.records()) {
        for (SessionLoad.Kind kind : SessionLoad.Kind.values()) {
          for (HostTable.Cell cell : table.cells(hosts, records, kind)) {
            cells
                .addObject()
                .put("hosts", hosts)
                .put("records", records)
                .put("kind", kind.title())
                .put("averageLatencySeconds", cell.latencySeconds())
                .put("elapsedSeconds", cell.elapsedSeconds());
          }
        }
      }
    }
    json.put("verdict", verdict().words());
    ArrayNode claims = json.putArray("claims");
    for (Claim claim : HostClaims.of(table)) {
      claims
          .addObject()
          .put("paper", claim.paper())
          .put("verdict", claim.verdict().words())
          .put("found", claim.found())
          .put("decided", claim.decided());
    }
    ArrayNode all = json.putArray("responses");
    models.forEach(model -> put(all.addObject(), model));
    return json;
  }

  private static void put(ObjectNode json, ResponseModel model) {
    json.put("of", model.what())
        .put("latencySeconds", model.latencySeconds())
        .put("responseSeconds", model.responseSeconds())
        .put("waitingSeconds", model.waitingSeconds());
    ArrayNode components = json.putArray("components");
    for (ResponseModel.Component one : model.components()) {
      components
          .addObject()
          .put("name", one.name())
          .put("seconds", one.seconds())
          .put("secondsBack", one.back())
          .put("how", one.how());
    }
  }

  /** Keeps it in a directory that is there. */
  public void write(Path directory) throws IOException {
    Files.writeString(directory.resolve(FILES.getFirst()), json().toPrettyString() + "\n");
    Files.write(directory.resolve(FILES.getLast()), lines());
  }
}
