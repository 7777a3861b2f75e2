package org.ecstore.cluster.bookkeeper;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.net.BookieId;

/** The metadata of a segment as a handle of it has it. */
record FakeLedgerMetadata(long id, List<String> ensemble, FakeSegment.Meta meta)
    implements LedgerMetadata {
  @Override
  public long getLedgerId() {
    return id;
  }

  @Override
  public int getEnsembleSize() {
    return ensemble.size();
  }

  @Override
  public int getWriteQuorumSize() {
    return ensemble.size();
  }

  @Override
  public int getAckQuorumSize() {
    return 2;
  }

  @Override
  public long getLastEntryId() {
    return meta.lastEntry();
  }

  @Override
  public long getLength() {
    return 0;
  }

  @Override
  public boolean hasPassword() {
    return true;
  }

  @Override
  public byte[] getPassword() {
    return new byte[0];
  }

  @Override
  public DigestType getDigestType() {
    return DigestType.CRC32C;
  }

  @Override
  public long getCtime() {
    return 0;
  }

  @Override
  public boolean isClosed() {
    return meta.isClosed();
  }

  @Override
  public Map<String, byte[]> getCustomMetadata() {
    return Map.of();
  }

  @Override
  public List<BookieId> getEnsembleAt(long entryId) {
    return ensemble.stream().map(BookieId::parse).toList();
  }

  @Override
  public NavigableMap<Long, ? extends List<BookieId>> getAllEnsembles() {
    return new TreeMap<>(Map.of(0L, getEnsembleAt(0)));
  }

  @Override
  public State getState() {
    return meta.state();
  }

  @Override
  public String toSafeString() {
    return toString();
  }

  @Override
  public int getMetadataFormatVersion() {
    return 3;
  }

  @Override
  public long getCToken() {
    return 0;
  }
}
