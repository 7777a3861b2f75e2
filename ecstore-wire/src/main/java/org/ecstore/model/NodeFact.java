package org.ecstore.model;

/**
 * Something that an operator should know of a node, by name.
 *
 * @param name few words, without a colon
 * @param value a figure, or a reason
 */
public record NodeFact(String name, String value) {
  /** Why its engine takes no writes. */
  public static final String ENGINE_REFUSES = "engine refuses writes";

  /** How often it had another lead in place of one that lived. */
  public static final String SUSPECTED_IN_VAIN = "leaders suspected in vain";

  /** Why the bookie that its process hosts is down. */
  public static final String BOOKIE_DOWN = "bookie down";

  /** What engines lack for what copies have to be. */
  public static final String PLACEMENT = "placement";

  private static final String BETWEEN = ": ";

  /**
   * A fact.
   *
   * @throws IllegalArgumentException if its name has a colon
   */
  public NodeFact {
    if (name.contains(BETWEEN)) {
      throw new IllegalArgumentException("a name without a colon, not \"" + name + '"');
    }
  }

  /** As people read it. */
  @Override
  public String toString() {
    return name + BETWEEN + value;
  }

  /** Whether a text is that of a fact. */
  public static boolean isFact(String text) {
    return text.contains(BETWEEN);
  }

  /** The fact of such a text. */
  public static NodeFact parse(String text) {
    String[] parts = text.split(BETWEEN, 2);
    return new NodeFact(parts[0], parts[1]);
  }
}
