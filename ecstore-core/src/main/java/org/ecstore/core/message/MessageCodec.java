package org.ecstore.core.message;

import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * Explicit codecs of a family of messages, found by a type number that is fixed for ever.
 *
 * @param <M> the sealed family
 */
public interface MessageCodec<M extends NodeMessage> {
  /** The family this codec is for. */
  Class<M> family();

  /** The lowest and the highest type number of the family; families do not overlap. */
  int typeMin();

  int typeMax();

  /** Writes type number and fields. */
  void write(WireWriter out, M message);

  /**
   * Reads the fields of a message of a type in this family's interval.
   *
   * @throws org.ecstore.wire.MalformedMessageException if they are not such a message
   */
  M read(int type, WireReader in);
}
