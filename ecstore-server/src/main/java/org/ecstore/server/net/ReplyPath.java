package org.ecstore.server.net;

import org.ecstore.protocol.ClientReply;

/** The way back to one client: a TCP connection, or a caller in this process. */
interface ReplyPath {
  /** Gathers a reply. Event loop only. */
  void reply(long correlation, ClientReply reply);

  /** Sends what was gathered. Event loop only. */
  void flush();

  /** There is room in the inbox again. Any thread. */
  void inboxRelieved();

  /** The node is no more: tells the client as well as it can. Any thread. */
  void close();
}
