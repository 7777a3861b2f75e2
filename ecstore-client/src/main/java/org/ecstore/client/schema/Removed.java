package org.ecstore.client.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The stored names of components that a record had once. They are skipped in stored values, and no
 * component may be stored under such a name again. Without this a value that has them is refused,
 * since a component that is missing may also have been renamed.
 *
 * <pre>{@code
 * @Removed("age")
 * record User(String name, Instant since) {}
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Removed {
  /** The stored names: that of {@link StoredAs} where there was one. */
  String[] value();
}
