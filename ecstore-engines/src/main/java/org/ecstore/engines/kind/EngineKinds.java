package org.ecstore.engines.kind;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.ecstore.check.Check;
import org.ecstore.engines.store.StoreKind;

/** The kinds of engines on the class path: one over each kind of store. */
public final class EngineKinds {
  private static final Map<String, EngineKind> KINDS = load();

  private EngineKinds() {}

  private static Map<String, EngineKind> load() {
    Map<String, EngineKind> kinds = new TreeMap<>();
    for (StoreKind kind : ServiceLoader.load(StoreKind.class, EngineKinds.class.getClassLoader())) {
      EngineKind other = kinds.put(kind.name(), new EngineKind(kind));
      Check.that(other == null, "two engines of one kind: " + kind.name());
    }
    return kinds;
  }

  /** Their names, in order. */
  public static List<String> names() {
    return new ArrayList<>(KINDS.keySet());
  }

  /**
   * The kind of a name.
   *
   * @throws IllegalArgumentException if there is none; says which there are
   */
  public static EngineKind named(String name) {
    EngineKind kind = KINDS.get(name);
    if (kind == null) {
      throw new IllegalArgumentException(
          "there is no engine \"" + name + "\" here, only: " + String.join(", ", names()));
    }
    return kind;
  }
}
