package org.ecstore.client.access;

import org.ecstore.wire.client.ClientReply;

/** Where the pages of a scan come from: each with the part of the interval that it is all of. */
interface ScanPages {
  /** The next page; asked only while some of the interval has not come. */
  ClientReply.Scanned next(PageRequest page);
}
