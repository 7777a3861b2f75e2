package org.ecstore.client.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name under which a component, an enum constant or a type is stored, if it is not its own.
 * What is renamed keeps the name it had first:
 *
 * <pre>{@code
 * record User(@StoredAs("name") String title, Instant since) {}
 * }</pre>
 *
 * <p>Bytes do not change with such a rename: programs with the former name and programs with the
 * new one read each other's values. It stays as long as the component does, and no other component
 * of the type is ever stored under that name.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.TYPE})
public @interface StoredAs {
  /** The name; for a type the simple one, without package. */
  String value();
}
