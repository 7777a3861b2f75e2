package org.ecstore.client;

import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.CatalogChangedException;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.client.token.PageTokens;
import org.ecstore.client.token.TokenSeal;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;

/**
 * The key of page tokens that the store itself keeps, so that all its clients have the same, also
 * after a restart: a record that the first client that needs it makes. Who can read it can read
 * every other key of the store as well (decision 0042).
 */
public final class StoredTokenKey implements PageTokens.KeySource {
  /** Where it is. */
  public static final Table<Bytes> TABLE = Table.of("ecstore", Codec.bytes());

  public static final Tuple KEY = Tuple.of("page-token-key");

  private static final int KEY_BYTES = 32;

  private final Backend backend;
  private final EcStoreOptions options;

  StoredTokenKey(Backend backend, EcStoreOptions options) {
    this.backend = backend;
    this.options = options;
  }

  @Override
  public byte[] key() {
    return key(Deadline.after(backend.cluster().time().nanos(), options.deadline()));
  }

  @Override
  public byte[] key(Deadline deadline) {
    while (true) {
      try {
        return keyBefore(deadline).array();
      } catch (ConflictException | CatalogChangedException e) {
        // Another client has made it meanwhile, or changed the catalog, or time is over.
        if (deadline.isOver(backend.cluster().time().nanos())) {
          throw e;
        }
      } catch (UnknownOutcomeException e) {
        // It is there or not: who asks next reads it. The caller has committed nothing.
        throw new UnavailableException("it is not known whether the key of tokens was made", e);
      }
    }
  }

  private Bytes keyBefore(Deadline deadline) {
    BytesTransaction raw =
        backend.transaction(
            ReadLevel.STRONG,
            Isolation.SERIALIZABLE,
            new SessionToken(ReadPoint.ZERO),
            new TimeLimit(options.deadline(), Optional.of(deadline)));
    try {
      Bytes at = TABLE.key(KEY);
      Bytes known = raw.get(List.of(at)).get(at);
      if (known != null) {
        return checked(known);
      }
      byte[] made = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(made);
      raw.put(at, Bytes.copyOf(made));
      raw.commit();
      return Bytes.wrap(made);
    } finally {
      raw.rollback();
    }
  }

  private static Bytes checked(Bytes known) {
    if (known.length() < TokenSeal.KEY_BYTES_MIN) {
      throw new WrongArgumentException(
          "the store's key of page tokens was overwritten: delete it, and another is made",
          null,
          "table",
          TABLE.name(),
          "key",
          KEY);
    }
    return known;
  }
}
