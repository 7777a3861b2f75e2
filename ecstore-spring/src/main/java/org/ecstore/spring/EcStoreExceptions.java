package org.ecstore.spring;

import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.dao.support.PersistenceExceptionTranslator;

/**
 * What a store throws, as Spring's exceptions; the store's own is the cause.
 *
 * <table>
 *   <caption>By the code of the store's exception</caption>
 *   <tr><th>code</th><th>Spring's exception</th><th>what to do</th></tr>
 *   <tr><td>CONFLICT</td><td>OptimisticLockingFailureException</td>
 *       <td>again: {@link RetryOnConflict}</td></tr>
 *   <tr><td>SNAPSHOT_TOO_OLD</td><td>ConcurrencyFailureException</td>
 *       <td>again, in less time</td></tr>
 *   <tr><td>UNAVAILABLE, OVERLOADED</td><td>TransientDataAccessResourceException</td>
 *       <td>later; nothing was done</td></tr>
 *   <tr><td>UNKNOWN_OUTCOME</td><td>{@link UnknownTransactionOutcomeException} of a commit of
 *       {@code @Transactional}, DataAccessResourceFailureException else</td>
 *       <td>again under the same idempotency key; else look whether it was done</td></tr>
 *   <tr><td>ALREADY_EXISTS</td><td>DuplicateKeyException</td><td>another key</td></tr>
 *   <tr><td>TOO_LARGE, WRONG_ARGUMENT, CHANGES_LOST</td>
 *       <td>InvalidDataAccessApiUsageException</td><td>mend the program</td></tr>
 *   <tr><td>OVER_QUOTA</td><td>NonTransientDataAccessResourceException</td>
 *       <td>delete records, or raise the quota; nothing was done</td></tr>
 *   <tr><td>CLOSED, PROTOCOL</td><td>DataAccessResourceFailureException</td>
 *       <td>look at the log</td></tr>
 * </table>
 */
public final class EcStoreExceptions implements PersistenceExceptionTranslator {
  /** Thrown by methods of beans with {@code @Repository}, the store's own become Spring's. */
  public EcStoreExceptions() {}

  @Override
  public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException failure) {
    return failure instanceof EcStoreException known ? of(known) : null;
  }

  /** Spring's exception for one of the store's. */
  public static DataAccessException of(EcStoreException failure) {
    String message = String.valueOf(failure.getMessage());
    return switch (failure.code()) {
      case CONFLICT -> new OptimisticLockingFailureException(message, failure);
      case SNAPSHOT_TOO_OLD -> new ConcurrencyFailureException(message, failure);
      case UNAVAILABLE, OVERLOADED -> new TransientDataAccessResourceException(message, failure);
      case ALREADY_EXISTS -> new DuplicateKeyException(message, failure);
      case TOO_LARGE, WRONG_ARGUMENT, CHANGES_LOST ->
          new InvalidDataAccessApiUsageException(message, failure);
      case OVER_QUOTA -> new NonTransientDataAccessResourceException(message, failure);
      case UNKNOWN_OUTCOME, CLOSED, PROTOCOL ->
          new DataAccessResourceFailureException(message, failure);
    };
  }

  /** The same of a commit: whether that was done is a question to Spring's transactions. */
  static RuntimeException ofCommit(EcStoreException failure) {
    return failure instanceof UnknownOutcomeException unknown
        ? new UnknownTransactionOutcomeException(unknown)
        : of(failure);
  }
}
