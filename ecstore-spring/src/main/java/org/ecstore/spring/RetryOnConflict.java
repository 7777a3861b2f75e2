package org.ecstore.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method, or all of a class, is run again from its beginning where its transaction has met a
 * conflict, its snapshot has become too old, or no node could do it: as the work of {@code
 * EcStore.transact} is, with exponential back-off and full jitter. Beside {@code @Transactional},
 * whichever stands first: each try is a transaction of its own.
 *
 * <p>It is for methods that begin a transaction of the store. Only a try that is known to have done
 * nothing is run again: not one that the outcome of a commit is not known of, and not one in which
 * the thread has committed something outside of the transaction that failed. What the method does
 * beside the store, and in transactions of their own within its transaction, is done in each try.
 * Called within a transaction nothing is run again, also where it begins one of its own by {@code
 * REQUIRES_NEW}: the one around it may be, if it says so.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface RetryOnConflict {
  /** For how long, in seconds, above zero: then the last failure is thrown. */
  int seconds() default 30;

  /** How often it is run at most, above zero. */
  int tries() default 1_000;
}
