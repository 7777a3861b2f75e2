package org.ecstore.cluster.bookkeeper.bookie;

import org.ecstore.server.refusal.Outlook;

/** A bookie cannot start as it is; the message says why and what to do. */
public final class BookieRefusedException extends BookKeeperStartException {
  private static final long serialVersionUID = 1L;

  BookieRefusedException(String message, Throwable cause, Outlook outlook) {
    super(message, cause, outlook);
  }
}
