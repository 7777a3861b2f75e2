package org.ecstore.server.bookkeeper;

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
  static FakeEntries of(long ledger, long from, List<byte[]> stored) {
    List<LedgerEntry> list = new ArrayList<>();
    for (byte[] bytes : stored) {
      list.add(new Entry(ledger, from + list.size(), Bytes.wrap(bytes)));
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
  private record Entry(long ledger, long number, Bytes bytes) implements LedgerEntry {
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
      return bytes.length();
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
