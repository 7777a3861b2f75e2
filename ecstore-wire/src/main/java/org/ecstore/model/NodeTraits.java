package org.ecstore.model;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.client.error.WrongArgumentException;

/**
 * What kind of node a node is: what its entry in the membership says beside where it is. As text it
 * is {@code
 * class=standard;price=0.25;version=1.2.3;engine=je;strengths=writes+persists;capacity=0.2+node}: a
 * reader passes by names that it does not know, and what is missing is empty.
 *
 * @param nodeClass the class of its machine, as operators call it
 * @param pricePerHour what an hour of it costs, in whatever currency the cluster counts
 * @param version of the release that it runs
 * @param engineTraits what its storage engine is, and is good at
 * @param capacity what it is held to, where that is less than its machine
 */
public record NodeTraits(
    String nodeClass,
    Optional<BigDecimal> pricePerHour,
    String version,
    EngineTraits engineTraits,
    Optional<Capacity> capacity) {
  // Before any traits are made.
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._+-]{0,64}");
  private static final Pattern PRICE = Pattern.compile("[0-9]{1,7}(\\.[0-9]{1,9})?");

  /** The class of nodes whose operators named none. */
  public static final String STANDARD = "standard";

  /** Characters of the longest text that is read. */
  public static final int TEXT_LENGTH_MAX = 1_024;

  /** Of a node that says nothing of itself, as one of an earlier release. */
  public static final NodeTraits UNKNOWN = new NodeTraits("", Optional.empty(), "", "");

  /**
   * Some traits.
   *
   * @throws WrongArgumentException if a text is not of up to 64 letters, digits, ".", "_", "+" and
   *     "-", or the price not of up to seven digits and nine behind the point
   */
  public NodeTraits {
    require(WORD, "class", nodeClass);
    require(WORD, "version", version);
    require(WORD, "engine", engineTraits.kind());
    pricePerHour.ifPresent(price -> require(PRICE, "price", price.toPlainString()));
  }

  /**
   * Those of a node that has its machine for itself.
   *
   * @throws WrongArgumentException as above
   */
  public NodeTraits(
      String nodeClass,
      Optional<BigDecimal> pricePerHour,
      String version,
      EngineTraits engineTraits) {
    this(nodeClass, pricePerHour, version, engineTraits, Optional.empty());
  }

  /**
   * Those of a node of whose engine only the kind is known.
   *
   * @throws WrongArgumentException as above
   */
  public NodeTraits(
      String nodeClass, Optional<BigDecimal> pricePerHour, String version, String engine) {
    this(nodeClass, pricePerHour, version, EngineTraits.of(engine));
  }

  /** The kind of its storage engine. */
  public String engine() {
    return engineTraits.kind();
  }

  private static void require(Pattern allowed, String name, String value) {
    if (!allowed.matcher(value).matches()) {
      throw new WrongArgumentException("no trait of a node", null, name, value);
    }
  }

  /** The same on a release and an engine. */
  public NodeTraits with(String release, String kindOfEngine) {
    return with(release, EngineTraits.of(kindOfEngine));
  }

  /** As above, with what the engine is good at. */
  public NodeTraits with(String release, EngineTraits engine) {
    return new NodeTraits(nodeClass, pricePerHour, release, engine, capacity);
  }

  /** The same, held to less than its machine. */
  public NodeTraits with(Capacity held) {
    return new NodeTraits(nodeClass, pricePerHour, version, engineTraits, Optional.of(held));
  }

  private NodeTraits with(EngineTraits engine) {
    return with(version, engine);
  }

  /** As text, which {@link #parse} reads. */
  public String text() {
    List<String> parts = new ArrayList<>();
    add(parts, "class", nodeClass);
    add(parts, "price", pricePerHour.map(BigDecimal::toPlainString).orElse(""));
    add(parts, "version", version);
    add(parts, "engine", engine());
    if (!engineTraits.equals(EngineTraits.of(engine()))) {
      add(parts, "strengths", engineTraits.strengths());
    }
    capacity.ifPresent(held -> add(parts, "capacity", held.text()));
    return String.join(";", parts);
  }

  private static void add(List<String> parts, String name, String value) {
    if (!value.isEmpty()) {
      parts.add(name + "=" + value);
    }
  }

  /** The traits of a text; what is none, or too long, is left out. Never fails. */
  public static NodeTraits parse(String text) {
    NodeTraits traits = UNKNOWN;
    if (text.length() > TEXT_LENGTH_MAX) {
      return traits;
    }
    for (String part : text.split(";", -1)) {
      int at = part.indexOf('=');
      if (at > 0) {
        traits = traits.having(part.substring(0, at), part.substring(at + 1));
      }
    }
    return traits;
  }

  private NodeTraits having(String name, String value) {
    return switch (name) {
      case "class" -> WORD.matcher(value).matches() ? classed(value) : this;
      case "price" -> PRICE.matcher(value).matches() ? priced(new BigDecimal(value)) : this;
      case "version" -> WORD.matcher(value).matches() ? with(value, engineTraits) : this;
      case "engine" -> WORD.matcher(value).matches() ? with(engineTraits.named(value)) : this;
      case "strengths" -> WORD.matcher(value).matches() ? with(engineTraits.with(value)) : this;
      case "capacity" -> Capacity.parse(value).map(this::with).orElse(this);
      default -> this;
    };
  }

  private NodeTraits classed(String name) {
    return new NodeTraits(name, pricePerHour, version, engineTraits, capacity);
  }

  private NodeTraits priced(BigDecimal price) {
    return new NodeTraits(nodeClass, Optional.of(price), version, engineTraits, capacity);
  }

  /**
   * What a node is held to of the machine that it runs on, so that several of them on one are like
   * smaller machines each. As text it is {@code 0.2+node}.
   *
   * @param processors that it may keep busy on average; from 0.01 to 9999.99
   * @param keeper who sees to it
   */
  public record Capacity(BigDecimal processors, Keeper keeper) {
    // Before any capacity is made.
    private static final Pattern PROCESSORS = Pattern.compile("[0-9]{1,4}(\\.[0-9]{1,2})?");
    private static final Pattern TEXT = Pattern.compile("([0-9.]{1,7})\\+(kernel|node)");

    /** The least there is, and the step between two of them. */
    public static final BigDecimal LEAST = new BigDecimal("0.01");

    /** Who holds a node to its capacity. */
    public enum Keeper {
      /** The operating system: no thread of the process runs beyond it, whatever it does. */
      KERNEL("kernel"),

      /**
       * The node, by answering clients later: what nodes say to each other goes on, so that the
       * cluster does not take it for gone.
       */
      NODE("node");

      private final String word;

      Keeper(String word) {
        this.word = word;
      }

      /** For people and texts. */
      public String word() {
        return word;
      }
    }

    /**
     * A capacity.
     *
     * @throws WrongArgumentException if the processors are less than {@link #LEAST}, 10,000 or
     *     more, or have more than two digits behind the point
     */
    public Capacity {
      if (!PROCESSORS.matcher(processors.toPlainString()).matches()
          || processors.compareTo(LEAST) < 0) {
        throw new WrongArgumentException(
            "no capacity of a node", null, "processors", processors.toPlainString());
      }
    }

    /** As text, which {@link #parse} reads. */
    public String text() {
      return processors.toPlainString() + "+" + keeper.word();
    }

    /** The capacity of a text; absent if it is none. Never fails. */
    public static Optional<Capacity> parse(String text) {
      Matcher matcher = TEXT.matcher(text);
      if (!matcher.matches() || !PROCESSORS.matcher(matcher.group(1)).matches()) {
        return Optional.empty();
      }
      BigDecimal processors = new BigDecimal(matcher.group(1));
      Keeper keeper = matcher.group(2).equals(Keeper.KERNEL.word()) ? Keeper.KERNEL : Keeper.NODE;
      return processors.compareTo(LEAST) < 0
          ? Optional.empty()
          : Optional.of(new Capacity(processors, keeper));
    }
  }
}
