package org.ecstore.cluster.bookkeeper;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.ecstore.key.Bytes;

/** Entries that were read, the first of them at a number. */
record FakeEntries(long ledger, long from, List<LedgerEntry> list) implements LedgerEntries {
  /** Some of all, each with the length of the segment up to it, as bookies have it. */
  static FakeEntries of(long ledger, long from, long to, List<byte[]> all) {
    List<LedgerEntry> list = new ArrayList<>();
    long length = 0;
    for (int i = 0; i <= to; i++) {
      length += all.get(i).length;
      if (i >= from) {
        list.add(new Entry(ledger, i, length, Bytes.wrap(all.get(i))));
      }
    }
    return new FakeEntries(ledger, from, list);
  }

  @Override
  public LedgerEntry getEntry(long entry) {
    return list.get(Math.toIntExact(entry - from));
  }

  @Override
  public Iterator<LedgerEntry> iterator() {
    return list.iterator();
  }

  @Override
  public void close() {}

  /** One of them. */
  private record Entry(long ledger, long number, long length, Bytes bytes) implements LedgerEntry {
    @Override
    public long getLedgerId() {
      return ledger;
    }

    @Override
    public long getEntryId() {
      return number;
    }

    @Override
    public long getLength() {
      return length;
    }

    @Override
    public byte[] getEntryBytes() {
      return bytes.array().clone();
    }

    @Override
    public ByteBuffer getEntryNioBuffer() {
      return ByteBuffer.wrap(getEntryBytes());
    }

    @Override
    public ByteBuf getEntryBuffer() {
      return Unpooled.wrappedBuffer(getEntryBytes());
    }

    @Override
    public LedgerEntry duplicate() {
      return this;
    }

    @Override
    public void close() {}
  }
}
