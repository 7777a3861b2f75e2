package org.ecstore.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.QuotaExceededException;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.TransientDataAccessException;

class EcStoreExceptionsTest {
  /** A resource is used up: what repeats transient failures must not repeat it. */
  @Test
  void aFullQuotaIsAResourceThatDoesNotComeBackByItself() {
    EcStoreException full = new QuotaExceededException("full", null, "node", "3 B of the 2 B");
    DataAccessException told = EcStoreExceptions.of(full);
    assertInstanceOf(NonTransientDataAccessResourceException.class, told);
    assertSame(full, told.getCause());
    assertEquals(told.getClass(), EcStoreExceptions.ofCommit(full).getClass());
  }

  @Test
  void onlyWhatPassesIsTransient() {
    for (ErrorCode code : ErrorCode.values()) {
      boolean passes =
          switch (code) {
            case CONFLICT, SNAPSHOT_TOO_OLD, UNAVAILABLE, OVERLOADED -> true;
            case UNKNOWN_OUTCOME,
                CHANGES_LOST,
                TOO_LARGE,
                OVER_QUOTA,
                ALREADY_EXISTS,
                WRONG_ARGUMENT,
                CLOSED,
                PROTOCOL ->
                false;
          };
      assertEquals(
          passes,
          EcStoreExceptions.of(new EcStoreException(code, "text", null))
              instanceof TransientDataAccessException,
          code.name());
    }
  }
}
