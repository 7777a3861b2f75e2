package org.ecstore.model;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.ecstore.client.error.WrongArgumentException;

/**
 * What kind of node a node is: what its entry in the membership says beside where it is. As text it
 * is {@code class=standard;price=0.25;version=1.2.3;engine=je;strengths=writes+persists}: a reader
 * passes by names that it does not know, and what is missing is empty.
 *
 * @param nodeClass the class of its machine, as operators call it
 * @param pricePerHour what an hour of it costs, in whatever currency the cluster counts
 * @param version of the release that it runs
 * @param engineTraits what its storage engine is, and is good at
 */
public record NodeTraits(
    String nodeClass,
    Optional<BigDecimal> pricePerHour,
    String version,
    EngineTraits engineTraits) {
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
    return new NodeTraits(nodeClass, pricePerHour, release, kindOfEngine);
  }

  /** As above, with what the engine is good at. */
  public NodeTraits with(String release, EngineTraits engine) {
    return new NodeTraits(nodeClass, pricePerHour, release, engine);
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
    boolean fits = (name.equals("price") ? PRICE : WORD).matcher(value).matches();
    if (!fits) {
      return this;
    }
    return switch (name) {
      case "class" -> new NodeTraits(value, pricePerHour, version, engineTraits);
      case "price" ->
          new NodeTraits(nodeClass, Optional.of(new BigDecimal(value)), version, engineTraits);
      case "version" -> new NodeTraits(nodeClass, pricePerHour, value, engineTraits);
      case "engine" -> new NodeTraits(nodeClass, pricePerHour, version, engineTraits.named(value));
      case "strengths" ->
          new NodeTraits(nodeClass, pricePerHour, version, engineTraits.with(value));
      default -> this;
    };
  }
}
