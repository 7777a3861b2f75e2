package org.ecstore.client.schema;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component that is not stored as long as it is what it would be where it is not: for the first
 * of two releases that bring it. A program refuses values with a component that it does not know,
 * so all programs have to know it before the first one stores it:
 *
 * <pre>{@code
 * record User(String name, @NotYetWritten Optional<String> mail) {} // a release that sets none
 * record User(String name, Optional<String> mail) {}                // the next one sets it
 * }</pre>
 *
 * <p>What it is where it is not stored {@link Default} says, else null, 0 or empty. A record with
 * another value is stored with it: programs of the first release that write what those of the
 * second have written lose nothing. The release that sets it takes the annotation away: the catalog
 * then knows the component, and refuses the writes of programs that do not.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface NotYetWritten {}
