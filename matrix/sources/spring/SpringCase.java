package org.ecstore.matrix;

import io.netty.util.Version;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.key.Tuple;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** An application with a store as a bean. Arguments: the Netty expected, and addresses. */
@SpringBootApplication
public class SpringCase {
  record User(String name, int age) {}

  private static final Table<User> USERS = Table.of("users", Codec.record(User.class));

  @Bean
  EcStore store(@Value("${addresses}") String addresses) {
    return EcStore.connect(addresses);
  }

  public static void main(String[] arguments) {
    User carol = new User("carol", 37);
    try (ConfigurableApplicationContext context =
        SpringApplication.run(SpringCase.class, "--addresses=" + arguments[1])) {
      EcStore store = context.getBean(EcStore.class);
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
