package org.ecstore.tools.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.server.net.Addresses;
import org.ecstore.tools.attack.attacker.AttackedNode;
import org.ecstore.tools.attack.attacker.Attacker;
import org.ecstore.tools.attack.attacker.Greed;

/**
 * A forger and a glutton at nodes that come and go: one burst at a time each, with pauses, so that
 * others are hindered and not starved. The test that made them looks how the nodes bear it.
 */
public final class Intruders implements AutoCloseable {
  private static final List<AttackKind> FORGERIES =
      List.of(AttackKind.FORGED, AttackKind.HOLDER, AttackKind.REPLAYED, AttackKind.MUTATED);

  private final List<String> addresses;
  private final ClusterSecret secret;
  private final Consumer<String> finding;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong frames = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();

  /** Who attacks among the clients. */
  public enum Role {
    /** Forges, replays and mutates messages, with the secret and without it. */
    FORGER(100),
    /** Takes as much as it can. */
    GLUTTON(500);

    private final long pauseMillis;

    Role(long pauseMillis) {
      this.pauseMillis = pauseMillis;
    }
  }

  private Intruders(List<String> addresses, ClusterSecret secret, Consumer<String> finding) {
    this.addresses = addresses;
    this.secret = secret;
    this.finding = finding;
  }

  /**
   * Begins.
   *
   * @param addresses of nodes, which may be away for a while, as {@code EcStore.connect} takes them
   * @param finding is told when a forgery was believed
   */
  public static Intruders among(
      String addresses,
      ClusterSecret secret,
      Set<Role> roles,
      long seed,
      Consumer<String> finding) {
    Intruders all = new Intruders(List.of(addresses.split(",", -1)), secret, finding);
    SplittableRandom seeds = new SplittableRandom(seed);
    for (Role role : Role.values()) {
      SplittableRandom random = seeds.split();
      if (roles.contains(role)) {
        all.threads.add(
            Thread.ofPlatform()
                .daemon()
                .name("intruder-" + role)
                .start(() -> all.run(role, random)));
      }
    }
    return all;
  }

  private void run(Role role, SplittableRandom random) {
    // What it is answered while nodes are away says nothing.
    try (Greed glutton = new Greed(_ -> {})) {
      while (!over.get()) {
        try {
          strike(role, glutton, random);
        } catch (IOException away) {
          // Nodes come and go here.
        }
        Thread.sleep(role.pauseMillis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      finding.accept("an attacker could not let go of its connections: " + e);
    } catch (RuntimeException e) {
      finding.accept("an attacker failed: " + e);
    }
  }

  private void strike(Role role, Attacker glutton, SplittableRandom random) throws IOException {
    AttackedNode node = node(addresses.get(random.nextInt(addresses.size())));
    switch (role) {
      case GLUTTON -> frames.addAndGet(glutton.strike(node, random));
      case FORGER -> forge(node, random);
    }
  }

  private void forge(AttackedNode node, SplittableRandom random) throws IOException {
    AttackedNode other = node(addresses.get(random.nextInt(addresses.size())));
    if (other.id().equals(node.id())) {
      return;
    }
    AttackKind kind = FORGERIES.get(random.nextInt(FORGERIES.size()));
    try (Attackers.Armed armed = new Attackers(List.of(node, other), secret, finding).of(kind)) {
      frames.addAndGet(armed.attacker().strike(node, random));
    }
  }

  private static AttackedNode node(String text) throws IOException {
    InetSocketAddress address = Objects.requireNonNull(Addresses.parse(text), text);
    return AttackedNode.at(address, List.of());
  }

  /** Frames sent by now. */
  public long frames() {
    return frames.get();
  }

  /** Ends them; a burst that is under way is interrupted by its own time limits. */
  @Override
  public void close() {
    over.set(true);
    try {
      for (Thread thread : threads) {
        thread.interrupt();
        thread.join();
      }
    } catch (InterruptedException e) {
      // They end by themselves.
      Thread.currentThread().interrupt();
    }
  }
}
