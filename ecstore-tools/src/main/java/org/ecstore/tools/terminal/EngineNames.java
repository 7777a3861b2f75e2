package org.ecstore.tools.terminal;

import java.util.Iterator;
import java.util.List;
import org.ecstore.engines.kind.EngineKinds;

/**
 * The kinds of engines on the class path as help names them, with a word to those that have a
 * server: for {@code completionCandidates} of an option, whose description has {@code
 * ${COMPLETION-CANDIDATES}} in it.
 */
public final class EngineNames implements Iterable<String> {
  /** For picocli, which makes one for each option. */
  public EngineNames() {}

  /** One by one. */
  static List<String> all() {
    return EngineKinds.names().stream()
        .map(kind -> EngineKinds.named(kind).hasServer() ? kind + " (a server each)" : kind)
        .toList();
  }

  @Override
  public Iterator<String> iterator() {
    return all().iterator();
  }
}
