package org.ecstore.core.runtime;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method that does what rules of the protocol ask, or a decision beside them, on its own, so that
 * a test can put a wrong one in its place. Each seam has at least one such planted bug, which the
 * simulator finds.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface RuleSeam {
  /** The numbers of the rules; none where no rule asks for it. */
  int[] value() default {};

  /** The numbers of the decisions that ask for what no rule says. */
  int[] decisions() default {};
}
