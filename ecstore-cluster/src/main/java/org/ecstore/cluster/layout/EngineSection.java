package org.ecstore.cluster.layout;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a node's configuration says of its engine, as text that an operator may have changed. */
public final class EngineSection {
  /** What belongs to one kind: of its server another has nothing. */
  private static final String OWN = "(kind|url|user|password-file|password)\\s*=";

  /** Beside that, what an engine on a server has nothing of in the node's process. */
  private static final String BESIDE_A_SERVER = "(kind|url|user|password-file|password|cache)\\s*=";

  private static final Pattern CACHE_IN_TABLE = Pattern.compile("^\\s*cache\\s*=\\s*(.*)$");
  private static final Pattern CACHE_DOTTED =
      Pattern.compile("^\\s*engine\\s*\\.\\s*cache\\s*=\\s*(.*)$");

  private EngineSection() {}

  /**
   * A configuration with another engine: its kind and what it needs to reach its server take the
   * place of what was there, and all else, as the cache and every comment, stays. Where it has a
   * server, and so no cache in the node's process, that goes too.
   *
   * @param lines as {@code kind = "je"}
   */
  public static String replaced(String configuration, List<String> lines) {
    return ConfigTable.replaced(
        configuration, "engine", hasServer(lines) ? BESIDE_A_SERVER : OWN, lines);
  }

  private static boolean hasServer(List<String> lines) {
    return lines.stream().anyMatch(line -> line.startsWith("url"));
  }

  /**
   * The cache that {@link #replaced} takes out of a configuration, as it stands there; absent if it
   * takes none out.
   */
  public static Optional<String> cacheTakenOut(String configuration, List<String> lines) {
    String within = "";
    for (String line : configuration.lines().toList()) {
      Matcher header = ConfigTable.HEADER.matcher(line);
      within = header.find() ? header.group(1) : within;
      Matcher cache = (within.isEmpty() ? CACHE_DOTTED : CACHE_IN_TABLE).matcher(line);
      boolean isOfEngine = within.isEmpty() || within.equals("engine");
      if (hasServer(lines) && isOfEngine && cache.find()) {
        return Optional.of(cache.group(1));
      }
    }
    return Optional.empty();
  }
}
