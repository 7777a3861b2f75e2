package org.ecstore.tools.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.ecstore.cluster.node.NodeResources;

/**
 * What the nodes had that a table was measured on, by the runs that {@code qos measure} keeps
 * beside it.
 *
 * @param heapMebibytes of each
 * @param cacheMebibytes of each engine, within the heap
 * @param copies of each range
 */
public record MeasuredNodes(int heapMebibytes, int cacheMebibytes, int copies) {
  /** Behind the name of a table, of the file that has its runs. */
  public static final String RUNS = ".runs.jsonl";

  private static final String TABLE = ".csv";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int HEAD_BYTES_MAX = 64 << 10;
  private static final int HEAP_MAX = 1 << 20;
  private static final int HEAP_AT_FIRST = 64;
  private static final long MEBI = 1 << 20;

  /** What the runs beside a table say; absent if there are none, or they do not say it. */
  public static Optional<MeasuredNodes> beside(Path table) throws IOException {
    String name = String.valueOf(table.getFileName());
    if (!name.endsWith(TABLE)) {
      return Optional.empty();
    }
    Path runs = table.resolveSibling(name.substring(0, name.length() - TABLE.length()) + RUNS);
    if (!Files.isRegularFile(runs)) {
      return Optional.empty();
    }
    String text;
    try (InputStream in = Files.newInputStream(runs)) {
      text = new String(in.readNBytes(HEAD_BYTES_MAX), StandardCharsets.UTF_8);
    }
    return text.lines().findFirst().flatMap(MeasuredNodes::of);
  }

  private static Optional<MeasuredNodes> of(String line) {
    try {
      JsonNode head = MAPPER.readTree(line);
      MeasuredNodes nodes =
          new MeasuredNodes(
              head.path("heapMebibytes").asInt(),
              head.path("cacheMebibytes").asInt(),
              head.path("copies").asInt());
      return nodes.isSound() ? Optional.of(nodes) : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private boolean isSound() {
    return heapMebibytes > 0
        && heapMebibytes <= HEAP_MAX
        && cacheMebibytes > 0
        && cacheMebibytes <= heapMebibytes
        && copies > 0;
  }

  /** What a process gets so that it is as theirs were. */
  public NodeResources resources() {
    return new NodeResources(
        Math.min(HEAP_AT_FIRST, heapMebibytes) * MEBI,
        heapMebibytes * MEBI,
        cacheMebibytes * MEBI,
        NodeResources.SMALL.collector(),
        1);
  }
}
