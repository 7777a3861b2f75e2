package org.ecstore.client.kryo;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.client.kryo.declared.SerialException;
import org.jspecify.annotations.Nullable;

/** How records of one stored definition become records of the class as it is now. */
final class RecordPlan {
  /** A stored component, and the one it becomes; none if it is skipped. */
  private record Step(FieldKind kind, @Nullable Component component) {}

  private final RecordShape shape;
  private final Step[] steps;
  private final List<Component> defaulted;
  private final boolean unchanged;

  private RecordPlan(
      RecordShape shape, List<Step> steps, List<Component> defaulted, boolean unchanged) {
    this.shape = shape;
    this.steps = steps.toArray(Step[]::new);
    this.defaulted = List.copyOf(defaulted);
    this.unchanged = unchanged;
  }

  /** For records that were written by a class like this one. */
  static RecordPlan unchanged(RecordShape shape) {
    List<Step> steps =
        shape.components().stream().map(each -> new Step(each.kind(), each)).toList();
    return new RecordPlan(shape, steps, List.of(), true);
  }

  /**
   * For records of another definition.
   *
   * @throws SerialException if it has a component that the class neither has nor declares removed
   */
  static RecordPlan of(RecordShape shape, Definition stored) {
    if (stored.size() == 0 && stored.fingerprint() != shape.emptyFingerprint()) {
      throw new SerialException(
          "a stored record without components is none of "
              + shape.type().getName()
              + ": if the type was renamed, declare @StoredAs with its former simple name");
    }
    List<Step> steps = new ArrayList<>();
    List<Component> missing = new ArrayList<>(shape.components());
    int unknown = 0;
    for (int i = 0; i < stored.size(); i++) {
      Component component = shape.component(stored.idWord(i));
      missing.remove(component);
      if (component == null && !shape.isRemoved(stored.idWord(i))) {
        unknown++;
      }
      steps.add(new Step(stored.kind(i), component));
    }
    if (unknown > 0) {
      throw new SerialException(undeclared(shape, unknown, stored.size(), missing));
    }
    return new RecordPlan(shape, steps, missing, false);
  }

  private static String undeclared(
      RecordShape shape, int unknown, int size, List<Component> missing) {
    String type = shape.type().getName();
    String told =
        unknown
            + " of the "
            + size
            + " components of a stored "
            + type
            + " are unknown to it: declare what was renamed by @StoredAs(\"former name\")"
            + (missing.isEmpty() ? "" : " (not stored: " + RecordShape.names(missing) + ")")
            + " and what was removed by @Removed(\"name\")";
    return unknown < size
        ? told
        : told
            + "; if the type itself was renamed, declare @StoredAs on it; numbered types keep their order"
            + " in KryoCodec.of";
  }

  Object read(StrictKryo kryo, BoundedInput in) {
    kryo.countDefaults(defaulted.size());
    @Nullable Object[] arguments = new Object[shape.components().size()];
    for (Step step : steps) {
      Component component = step.component;
      if (component == null) {
        step.kind.skip(kryo, in);
      } else {
        Object value = step.kind.read(kryo, in);
        arguments[component.index()] =
            unchanged ? component.unchanged(value) : component.changed(value);
      }
    }
    for (Component component : defaulted) {
      arguments[component.index()] = component.defaultValue();
    }
    return shape.make(arguments, defaulted);
  }
}
