package org.ecstore.client.retry;

import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.OverloadedException;
import org.ecstore.client.error.QuotaExceededException;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;

/** What a node's refusal is to an application. */
public final class Refusals {
  private Refusals() {}

  /** The exception that says the same. */
  public static EcStoreException toException(ClientReply.Refused refused) {
    return switch (refused.code()) {
      case SNAPSHOT_TOO_OLD ->
          new SnapshotTooOldException(
              "the snapshot's versions are no longer kept: begin a new one",
              null,
              "node",
              refused.detail());
      case TOO_LARGE ->
          new TooLargeException("the node found it too large", null, "node", refused.detail());
      case OVER_QUOTA ->
          new QuotaExceededException(
              "the application holds all that it may: delete records, or raise its quota",
              null,
              "node",
              refused.detail());
      case UNAVAILABLE ->
          new UnavailableException(
              "the node could not do it", null, "code", refused.code(), "node", refused.detail());
      case OVERLOADED ->
          new OverloadedException(
              "the node is overloaded; do less at a time, or try later",
              null,
              "node",
              refused.detail());
      case BAD_REQUEST ->
          new EcStoreException(
              ErrorCode.PROTOCOL,
              "the node did not understand the request",
              null,
              "node",
              refused.detail());
    };
  }

  /** Whether a node said that it has more to do than it can. */
  public static boolean isOverload(ClientReply reply) {
    return reply instanceof ClientReply.Refused refused && refused.code() == RefusalCode.OVERLOADED;
  }

  /** Whether the same may succeed a little later. */
  public static boolean mayPass(ClientReply.Refused refused) {
    return switch (refused.code()) {
      case UNAVAILABLE, OVERLOADED -> true;
      case SNAPSHOT_TOO_OLD, TOO_LARGE, OVER_QUOTA, BAD_REQUEST -> false;
    };
  }
}
