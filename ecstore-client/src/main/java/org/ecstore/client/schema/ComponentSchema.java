package org.ecstore.client.schema;

import java.util.List;

/**
 * A component of a record, or a constant of an enum, as values are stored with it.
 *
 * @param name under which it is stored
 * @param types that it had, as they are declared, such as {@code List<Address>}, in the order in
 *     which they came; none of a constant
 */
public record ComponentSchema(String name, List<String> types) {
  public ComponentSchema {
    types = List.copyOf(types);
  }

  /** The same, with what another has besides. */
  ComponentSchema with(ComponentSchema other) {
    return new ComponentSchema(name, ValueSchema.union(types, other.types));
  }
}
