package org.ecstore.spring;

import java.io.Serial;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.ecstore.client.EcStore;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.retry.RerunRules;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.dao.DataAccessException;

/**
 * Does what {@link RetryOnConflict} says: around the transaction, which is begun anew each time.
 */
public final class RetryOnConflictAdvisor extends DefaultPointcutAdvisor {
  @Serial private static final long serialVersionUID = 1L;

  /** Nearer to the caller than transactions are, whose order is the last one if none is given. */
  private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

  private static final Logger LOG = LoggerFactory.getLogger(RetryOnConflictAdvisor.class);
  private static final Duration BACK_OFF_FIRST = Duration.ofMillis(2);
  private static final Duration BACK_OFF_MAX = Duration.ofMillis(500);

  /**
   * One for an application.
   *
   * @param transactions of the application's store
   * @param commits gives an observer of the store
   * @param rerun is told why a method is run again
   */
  public RetryOnConflictAdvisor(
      EcStoreTransactions transactions,
      Supplier<ThreadCommits> commits,
      Consumer<EcStoreException> rerun) {
    super(
        new ComposablePointcut(new AnnotationMatchingPointcut(RetryOnConflict.class, true))
            .union(new AnnotationMatchingPointcut(null, RetryOnConflict.class, true)),
        new Retries(transactions, commits, rerun));
    setOrder(ORDER);
  }

  /** Says whether the calling thread has a transaction already. */
  @FunctionalInterface
  public interface EcStoreTransactions {
    boolean hasBegun();

    /** Of a store. */
    static EcStoreTransactions of(EcStore store) {
      return () -> EcStoreTransactionManager.current(store) != null;
    }
  }

  private record Retries(
      EcStoreTransactions transactions,
      Supplier<ThreadCommits> commits,
      Consumer<EcStoreException> rerun)
      implements MethodInterceptor {
    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
      if (transactions.hasBegun()) {
        return call.proceed();
      }
      RetryOnConflict how = annotation(call);
      RerunRules rules =
          new RerunRules(
              new Backoff(BACK_OFF_FIRST.toNanos(), BACK_OFF_MAX.toNanos()),
              Deadline.after(System.nanoTime(), Duration.ofSeconds(how.seconds())));
      while (true) {
        try (Tries.Try now = Tries.begin(commits.get())) {
          try {
            // A clone for each: an invocation goes through its interceptors once.
            return clone(call).proceed();
          } catch (DataAccessException | EcStoreException failure) {
            EcStoreException cause = ofStore(failure);
            if (cause == null || !now.hasDoneNothing() || !isTold()) {
              throw failure;
            }
            waitOrThrow(failure, cause, rules, how.tries());
            rerun.accept(cause);
          }
        }
      }
    }

    /** What an application's own store has committed is not known without. */
    private boolean isTold() {
      boolean told = commits.get().isTold();
      if (!told) {
        LOG.warn(
            "@RetryOnConflict runs nothing again: give the store the bean of type ThreadCommits,"
                + " by EcStoreOptions.observer");
      }
      return told;
    }

    private static MethodInvocation clone(MethodInvocation call) {
      return call instanceof ProxyMethodInvocation ofProxy ? ofProxy.invocableClone() : call;
    }

    private static RetryOnConflict annotation(MethodInvocation call) {
      Class<?> target =
          call.getThis() == null
              ? call.getMethod().getDeclaringClass()
              : AopProxyUtils.ultimateTargetClass(call.getThis());
      RetryOnConflict ofMethod =
          AnnotatedElementUtils.findMergedAnnotation(
              AopUtils.getMostSpecificMethod(call.getMethod(), target), RetryOnConflict.class);
      RetryOnConflict found =
          ofMethod != null
              ? ofMethod
              : AnnotatedElementUtils.findMergedAnnotation(target, RetryOnConflict.class);
      if (found == null) {
        throw new IllegalStateException("no @RetryOnConflict on " + call.getMethod());
      }
      return found;
    }

    private static void waitOrThrow(
        RuntimeException failure, EcStoreException cause, RerunRules rules, int tries) {
      OptionalLong delay =
          rules.afterFailure(cause, System.nanoTime(), ThreadLocalRandom.current().nextDouble());
      if (delay.isEmpty() || rules.failures() >= tries) {
        throw failure;
      }
      try {
        TimeUnit.NANOSECONDS.sleep(delay.getAsLong());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw failure;
      }
    }

    private static @Nullable EcStoreException ofStore(RuntimeException failure) {
      return failure instanceof EcStoreException own
          ? own
          : failure.getCause() instanceof EcStoreException cause ? cause : null;
    }
  }
}
