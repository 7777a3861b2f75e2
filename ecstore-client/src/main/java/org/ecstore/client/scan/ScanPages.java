package org.ecstore.client.scan;

import org.ecstore.client.read.PageRequest;
import org.ecstore.protocol.ClientReply;

/** Where the pages of a scan come from: each with the part of the interval that it is all of. */
public interface ScanPages {
  /** The next page; asked only while some of the interval has not come. */
  ClientReply.Scanned next(PageRequest page);
}
