package org.ecstore.bench.smallbank;

import java.nio.ByteBuffer;
import org.ecstore.client.Codec;
import org.ecstore.key.Bytes;

/**
 * What an account holds, and which write that was.
 *
 * @param balance may be below zero
 * @param version how many writes there were before
 * @param writer the transaction that wrote it; 0 for how it was opened
 */
record BankAccount(long balance, long version, long writer) {
  static final Codec<BankAccount> CODEC =
      new Codec<>() {
        @Override
        public Bytes encode(BankAccount value) {
          ByteBuffer into = ByteBuffer.allocate(3 * Long.BYTES);
          into.putLong(value.balance).putLong(value.version).putLong(value.writer);
          return Bytes.wrap(into.array());
        }

        @Override
        public BankAccount decode(Bytes encoded) {
          ByteBuffer from = ByteBuffer.wrap(encoded.array());
          return new BankAccount(from.getLong(), from.getLong(), from.getLong());
        }
      };

  BankAccount with(long changed, long by) {
    return new BankAccount(changed, version + 1, by);
  }
}
