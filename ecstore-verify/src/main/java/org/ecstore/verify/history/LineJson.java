package org.ecstore.verify.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.ecstore.model.ReadLevel;
import org.jspecify.annotations.Nullable;

/**
 * A line of a history as a JSON object. Transactions on lists and registers are {@code "f":"txn"}
 * with a list of micro-operations; those of a bank have an {@code f} of their own:
 *
 * <pre>
 * {"index":3,"time":70,"process":0,"type":"invoke","f":"txn","value":[["append",3,17],["r",3,null]],"level":"session"}
 * {"index":4,"time":81,"process":0,"type":"ok","f":"txn","value":[["append",3,17],["r",3,[9,17]]],"sts":40,"cts":42}
 * {"index":5,"time":93,"process":2,"type":"ok","f":"transfer","value":{"from":1,"to":6,"amount":3},"sts":41,"cts":43}
 * {"index":7,"time":99,"process":1,"type":"ok","f":"read","value":{"0":97,"1":103},"sts":43}
 * </pre>
 */
public final class LineJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private LineJson() {}

  /** The line's text, without a line end. */
  public static String write(Line line) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("index", line.index())
            .put("time", line.time())
            .put("process", line.process())
            .put("type", line.type().name().toLowerCase(Locale.ROOT));
    MicroOp first = line.value().getFirst();
    switch (first) {
      case MicroOp.Open open ->
          node.put("f", "open").set("value", balances(Optional.of(open.balances())));
      case MicroOp.Transfer transfer ->
          node.put("f", "transfer")
              .set(
                  "value",
                  JsonNodeFactory.instance
                      .objectNode()
                      .put("from", transfer.from())
                      .put("to", transfer.to())
                      .put("amount", transfer.amount()));
      case MicroOp.ReadBalances read ->
          node.put("f", "read").set("value", balances(Optional.ofNullable(read.seen())));
      case MicroOp.Append _, MicroOp.ReadList _, MicroOp.Write _, MicroOp.ReadValue _ -> {
        ArrayNode value = node.put("f", "txn").putArray("value");
        line.value().forEach(op -> value.add(step(op)));
      }
    }
    line.snapshot().ifPresent(position -> node.put("sts", position));
    line.number().ifPresent(position -> node.put("cts", position));
    line.error().ifPresent(text -> node.put("error", text));
    line.level().ifPresent(level -> putLevel(node, level));
    return node.toString();
  }

  private static void putLevel(ObjectNode node, ReadLevel level) {
    node.put("level", level.kind().name().toLowerCase(Locale.ROOT));
    if (level.kind() == ReadLevel.Kind.BOUNDED) {
      node.put("lagMillis", level.lagMillis());
    }
  }

  private static Optional<ReadLevel> level(JsonNode node) {
    JsonNode level = node.get("level");
    if (level == null || level.isNull()) {
      return Optional.empty();
    }
    return Optional.of(
        switch (level.asText()) {
          case "local" -> ReadLevel.LOCAL;
          case "session" -> ReadLevel.SESSION;
          case "strong" -> ReadLevel.STRONG;
          case "bounded" -> ReadLevel.bounded(Duration.ofMillis(number(node, "lagMillis")));
          default -> throw new IllegalArgumentException("unknown level " + level.asText());
        });
  }

  private static JsonNode balances(Optional<Elements> seen) {
    if (seen.isEmpty()) {
      return JsonNodeFactory.instance.nullNode();
    }
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < seen.get().size(); i++) {
      node.put(Integer.toString(i), seen.get().at(i));
    }
    return node;
  }

  private static ArrayNode step(MicroOp op) {
    ArrayNode node = JsonNodeFactory.instance.arrayNode(3);
    switch (op) {
      case MicroOp.Append append -> node.add("append").add(append.key()).add(append.element());
      case MicroOp.Write write -> node.add("w").add(write.key()).add(write.value());
      case MicroOp.ReadValue read -> node.add("r").add(read.key()).add(read.seen());
      case MicroOp.ReadList read -> {
        node.add("r").add(read.key());
        Elements seen = read.seen();
        if (seen == null) {
          node.addNull();
        } else {
          ArrayNode list = node.addArray();
          for (int i = 0; i < seen.size(); i++) {
            list.add(seen.at(i));
          }
        }
      }
      case MicroOp.Open _, MicroOp.Transfer _, MicroOp.ReadBalances _ ->
          throw new IllegalArgumentException("not a step of a txn: " + op);
    }
    return node;
  }

  /**
   * What a line's text says. A read of null is one of a register; whether it is rather one of a
   * list, other lines say.
   *
   * @throws IllegalArgumentException if it is not the text of a line; the message says why
   */
  public static Line read(String text) {
    JsonNode node;
    try {
      node = MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    }
    if (!node.isObject()) {
      throw new IllegalArgumentException("not a JSON object");
    }
    JsonNode error = node.get("error");
    return new Line(
        number(node, "index"),
        number(node, "time"),
        number(node, "process"),
        type(member(node, "type").asText()),
        value(member(node, "f").asText(), node.path("value")),
        position(node, "sts"),
        position(node, "cts"),
        error == null || error.isNull() ? Optional.empty() : Optional.of(error.asText()),
        level(node));
  }

  private static JsonNode member(JsonNode node, String name) {
    JsonNode member = node.get(name);
    if (member == null) {
      throw new IllegalArgumentException("no \"" + name + "\"");
    }
    return member;
  }

  private static long number(JsonNode node, String name) {
    return integer(member(node, name), name);
  }

  private static long integer(@Nullable JsonNode node, String what) {
    if (node == null || !node.isIntegralNumber() || !node.canConvertToLong()) {
      throw new IllegalArgumentException(what + " is no integer: " + node);
    }
    return node.longValue();
  }

  private static OptionalLong position(JsonNode node, String name) {
    JsonNode member = node.get(name);
    return member == null || member.isNull()
        ? OptionalLong.empty()
        : OptionalLong.of(integer(member, name));
  }

  private static Line.Type type(String name) {
    return switch (name) {
      case "invoke" -> Line.Type.INVOKE;
      case "ok" -> Line.Type.OK;
      case "fail" -> Line.Type.FAIL;
      case "info" -> Line.Type.INFO;
      default -> throw new IllegalArgumentException("unknown type " + name);
    };
  }

  private static List<MicroOp> value(String function, JsonNode value) {
    return switch (function) {
      case "txn" -> steps(value);
      case "open" -> List.of(new MicroOp.Open(balances(value)));
      case "read" -> List.of(new MicroOp.ReadBalances(value.isNull() ? null : balances(value)));
      case "transfer" ->
          List.of(
              new MicroOp.Transfer(
                  Math.toIntExact(number(value, "from")),
                  Math.toIntExact(number(value, "to")),
                  number(value, "amount")));
      default -> throw new IllegalArgumentException("unknown f " + function);
    };
  }

  private static Elements balances(JsonNode value) {
    long[] balances = new long[value.size()];
    for (int i = 0; i < balances.length; i++) {
      balances[i] = integer(value.get(Integer.toString(i)), "the balance of account " + i);
    }
    return Elements.of(balances);
  }

  private static List<MicroOp> steps(JsonNode value) {
    if (!value.isArray() || value.isEmpty()) {
      throw new IllegalArgumentException("the value of a txn is no list of micro-operations");
    }
    List<MicroOp> steps = new ArrayList<>(value.size());
    for (JsonNode step : value) {
      if (!step.isArray() || step.size() != 3) {
        throw new IllegalArgumentException("not a micro-operation: " + step);
      }
      long key = integer(step.get(1), "a key");
      JsonNode operand = step.get(2);
      steps.add(
          switch (step.get(0).asText()) {
            case "append" -> new MicroOp.Append(key, integer(operand, "an element"));
            case "w" -> new MicroOp.Write(key, integer(operand, "a value"));
            case "r" ->
                operand.isArray()
                    ? new MicroOp.ReadList(key, elements(operand))
                    : new MicroOp.ReadValue(
                        key, operand.isNull() ? null : (Long) integer(operand, "a value read"));
            default -> throw new IllegalArgumentException("not a micro-operation: " + step);
          });
    }
    return steps;
  }

  private static Elements elements(JsonNode list) {
    long[] elements = new long[list.size()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = integer(list.get(i), "an element read");
    }
    return Elements.of(elements);
  }
}
