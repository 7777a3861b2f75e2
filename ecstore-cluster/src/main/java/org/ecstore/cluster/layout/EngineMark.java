package org.ecstore.cluster.layout;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is noted of a node that gets an engine of another kind, from before it is drained for that
 * until it has its copies again (decision 0098). By both kinds it is known whether an operator has
 * changed the configuration meanwhile: then the change is over, whatever became of it.
 *
 * @param former the kind that it had
 * @param latter the kind that it gets
 */
public record EngineMark(String former, String latter, Stage stage) {
  /** How far a change is. */
  public enum Stage {
    /** The node is to hand over what it has, does so, or has done so; nothing is deleted yet. */
    LEAVING,
    /** What it had is being deleted; the configuration names the former kind until that is done. */
    GOING,
    /** The configuration names the latter kind, and the node has not all its copies yet. */
    FILLING;

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** As a file has it. */
  public String text() {
    return "%s %s %s\n".formatted(former, latter, stage.word());
  }

  /** That of a text; absent if this build writes none like it. */
  public static Optional<EngineMark> of(String text) {
    String[] words = text.strip().split(" ", -1);
    return Stream.of(Stage.values())
        .filter(stage -> words.length == 3 && words[2].equals(stage.word()))
        .findFirst()
        .map(stage -> new EngineMark(words[0], words[1], stage));
  }

  /**
   * Whether the change goes on.
   *
   * @param kind that the node's configuration names
   */
  public boolean isOf(String kind) {
    return switch (stage) {
      case LEAVING -> kind.equals(former);
      case GOING -> kind.equals(former) || kind.equals(latter);
      case FILLING -> kind.equals(latter);
    };
  }

  /** Whether what a node of that kind has in its engine goes, or has gone, at least in part. */
  public boolean isGone(String kind) {
    return stage == Stage.GOING && kind.equals(former);
  }

  /** Whether nothing is deleted yet. */
  public boolean isLeaving() {
    return stage == Stage.LEAVING;
  }

  /** For people: from which kind to which. */
  public String change() {
    return "from %s to %s".formatted(former, latter);
  }

  /** The same, at another stage. */
  public EngineMark at(Stage next) {
    return new EngineMark(former, latter, next);
  }
}
