package org.ecstore.matrix;

import io.netty.util.Version;
import java.nio.file.Path;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.key.Tuple;

/** Commits a value to a store in a directory. Arguments: the Netty expected, and the directory. */
public final class EmbeddedCase {
  record User(String name, int age) {}

  private static final Table<User> USERS = Table.of("users", Codec.record(User.class));

  private EmbeddedCase() {}

  public static void main(String[] arguments) {
    User carol = new User("carol", 37);
    try (EcStore store = EcStore.open(Path.of(arguments[1]))) {
      store.execute(tx -> tx.put(USERS, Tuple.of("carol"), carol));
      Optional<User> read = store.read(snapshot -> snapshot.get(USERS, Tuple.of("carol")));
      if (!read.equals(Optional.of(carol))) {
        throw new IllegalStateException("read " + read);
      }
    }
    // Not before: the first use of Netty must be the client's.
    String netty = Version.identify().get("netty-common").artifactVersion();
    if (!netty.startsWith(arguments[0])) {
      throw new IllegalStateException("Netty " + netty + " where " + arguments[0] + " is expected");
    }
    System.out.println("works with Netty " + netty);
  }
}
