package org.ecstore.client.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The record or enum as it was when values of format 1 were stored. Those values tell components by
 * alphabetical position and constants by order, and name none of them, so a reader has to be told
 * once there is a change other than a declared rename:
 *
 * <pre>{@code
 * record UserAtFirst(String name, int age) {}
 *
 * @Removed("age")
 * @OriginalShape(UserAtFirst.class)
 * record User(String name, Instant since) {}
 * }</pre>
 *
 * <p>Only names and types of the components, or names and order of the constants, are looked at. It
 * can go when no value of format 1 is left.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OriginalShape {
  /** A record for a record, an enum for an enum; it is not registered. */
  Class<?> value();
}
