package org.ecstore.client;

/**
 * An index whose entries keep a part of each record: {@link Index#covering}.
 *
 * @param <V> the type of the table's values
 * @param <C> the type of the part
 */
public final class Covering<V, C> {
  private final Index<V> index;
  private final Codec<C> codec;

  Covering(Index<V> index, Codec<C> codec) {
    this.index = index;
    this.codec = codec;
  }

  /** The index, by which records are read as by any other. */
  public Index<V> index() {
    return index;
  }

  Codec<C> codec() {
    return codec;
  }
}
