package org.ecstore.id;

/**
 * A transaction's identity, chosen by its client: 64 random bits that name the client and a
 * sequence number. A retry is a new transaction with a new id (rule 5).
 */
public record TxnId(long client, long sequence) implements Comparable<TxnId> {
  @Override
  public int compareTo(TxnId other) {
    int byClient = Long.compareUnsigned(client, other.client);
    return byClient != 0 ? byClient : Long.compareUnsigned(sequence, other.sequence);
  }

  @Override
  public String toString() {
    return "t" + Long.toHexString(client) + "." + sequence;
  }
}
