package org.ecstore.client.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a component is in values that were stored before it was added, where null, 0, false or empty
 * is not what is meant:
 *
 * <pre>{@code
 * record User(String name, @Default("en") String language, @Default("FREE") Plan plan) {}
 * }</pre>
 *
 * <p>For primitives and their boxes, String, enums (the constant's name), BigInteger, BigDecimal,
 * UUID, URI and the types of {@code java.time}, as their {@code parse} or {@code valueOf} reads
 * them. It is read when the codec is made, so that a mistake shows at once. It may change: no value
 * that is stored has it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface Default {
  /** The value as text. */
  String value();
}
