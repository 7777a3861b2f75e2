package org.ecstore.client.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A record or an enum of an application, as values are stored with it.
 *
 * @param name under which it is stored
 * @param components all that it had since it is known, those that were removed among them; of an
 *     enum its constants
 */
public record TypeSchema(String name, List<ComponentSchema> components) {
  public TypeSchema {
    components = List.copyOf(components);
  }

  /** A component by its name. */
  public Optional<ComponentSchema> component(String wanted) {
    return components.stream().filter(each -> each.name().equals(wanted)).findFirst();
  }

  /** The same, with what another has besides. */
  TypeSchema with(TypeSchema other) {
    List<ComponentSchema> all = new ArrayList<>();
    for (ComponentSchema own : components) {
      all.add(other.component(own.name()).map(own::with).orElse(own));
    }
    for (ComponentSchema more : other.components) {
      if (component(more.name()).isEmpty()) {
        all.add(more);
      }
    }
    return new TypeSchema(name, all);
  }
}
