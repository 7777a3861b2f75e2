package org.ecstore.protocol;

import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.KeyWrite;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;

/**
 * About how much memory a request takes on a node until it is answered: its bytes, optional fields
 * included, and {@link Limits#ITEM_HEAP_BYTES} for each key or interval in it. Found without
 * decoding it, so that a node knows it before it allocates anything.
 */
public final class RequestWeight {
  /** Of a request without any key: its objects, and those of its {@link RequestOptions}. */
  public static final int LEAST = 384;

  private static final int GET = RequestTable.ROWS.numberOf(ClientRequest.Get.class);
  private static final int COMMIT = RequestTable.ROWS.numberOf(ClientRequest.Commit.class);
  private static final int BEGIN_WITH = RequestTable.ROWS.numberOf(ClientRequest.BeginWith.class);
  private static final int QUORUM_WAIT = RequestTable.ROWS.numberOf(ClientRequest.QuorumWait.class);

  private static final int READ_CHANGES =
      RequestTable.ROWS.numberOf(ClientRequest.ReadChanges.class);

  private final WireReader in;
  private long items;

  private RequestWeight(WireReader in) {
    this.in = in;
  }

  /** Of a request in the body of a frame; of what is none, as far as it could be one. */
  public static long of(Bytes body) {
    RequestWeight weight = new RequestWeight(new WireReader(body));
    try {
      weight.add();
    } catch (MalformedMessageException e) {
      // The codec says what is wrong with it; until there it would have read.
    }
    return of(body.length(), weight.items);
  }

  /** Of so many bytes and items. */
  public static long of(long bytes, long items) {
    return LEAST + bytes + items * Limits.ITEM_HEAP_BYTES;
  }

  /** Of a request that is not encoded. */
  public static long of(ClientRequest request) {
    if (request instanceof ClientRequest.Commit commit) {
      return ofCommit(commit);
    } else if (request instanceof ClientRequest.Get get) {
      return of(bytes(get.keys()), get.keys().size());
    } else if (request instanceof ClientRequest.BeginWith begin) {
      return of(begin.read());
    } else if (request instanceof ClientRequest.QuorumWait wait) {
      return of(bytes(wait.keys()), wait.keys().size());
    } else if (request instanceof ClientRequest.ReadChanges read) {
      return of(boundBytes(read.intervals()), read.intervals().size());
    }
    return LEAST;
  }

  private static long boundBytes(Iterable<KeyRange> intervals) {
    long bytes = 0;
    for (KeyRange interval : intervals) {
      bytes += interval.start().length() + interval.end().map(Bytes::length).orElse(0);
    }
    return bytes;
  }

  private static long ofCommit(ClientRequest.Commit commit) {
    long bytes = bytes(commit.reads()) + boundBytes(commit.intervals());
    for (KeyWrite write : commit.writes()) {
      bytes += write.key().length() + write.mutation().length();
    }
    long items = (long) commit.reads().size() + commit.intervals().size() + commit.writes().size();
    return of(bytes, items);
  }

  /** Of writes, wherever they are. */
  public static long ofWrites(Iterable<KeyWrite> writes) {
    long bytes = 0;
    long items = 0;
    for (KeyWrite write : writes) {
      bytes += write.key().length() + write.mutation().length();
      items++;
    }
    return of(bytes, items);
  }

  private static long bytes(Iterable<Bytes> keys) {
    long bytes = 0;
    for (Bytes key : keys) {
      bytes += key.length();
    }
    return bytes;
  }

  private void add() {
    in.u8();
    int type = in.u8();
    in.varint();
    if (type == BEGIN_WITH) {
      ClientFields.readReadLevel(in);
      in.point();
      type = in.u8();
    }
    if (type == GET) {
      in.point();
      in.rangeId();
      in.epoch();
      keys();
    } else if (type == QUORUM_WAIT) {
      in.position();
      keys();
    } else if (type == READ_CHANGES) {
      in.position();
      if (in.bool()) {
        in.position();
        in.skipBytes();
      }
      intervals();
    } else if (type == COMMIT) {
      in.txn();
      in.point();
      in.u8();
      keys();
      intervals();
      writes();
    }
  }

  private void keys() {
    for (int left = in.count(); left > 0; left--) {
      items++;
      in.skipBytes();
    }
  }

  private void intervals() {
    for (int left = in.count(); left > 0; left--) {
      items++;
      in.skipBytes();
      if (in.bool()) {
        in.skipBytes();
      }
    }
  }

  private void writes() {
    for (int left = in.count(); left > 0; left--) {
      items++;
      in.skipBytes();
      WriteKind.skip(in);
    }
  }
}
