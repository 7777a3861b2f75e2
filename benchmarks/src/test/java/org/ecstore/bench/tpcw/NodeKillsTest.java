package org.ecstore.bench.tpcw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NodeKillsTest {
  private static final Duration SOON = Duration.ofMillis(1);

  private final LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();

  /** Three nodes, of which the second gives out commit numbers and the third does not start. */
  private static final class Three implements NodeKills.Victims {
    @Override
    public List<Integer> nodes() {
      return List.of(1, 2, 3);
    }

    @Override
    public Optional<Integer> sequencer() {
      return Optional.of(2);
    }

    @Override
    public void kill(int node) {}

    @Override
    public void start(int node) throws IOException {
      if (node == 3) {
        throw new IOException("its disk is full");
      }
    }
  }

  private String next() throws InterruptedException {
    String line = said.poll(60, TimeUnit.SECONDS);
    assertNotNull(line, "nothing is said");
    return line;
  }

  @Test
  void aNodeThatCannotBeStartedIsSaidAtOnceAndEndsTheKills() throws InterruptedException {
    NodeKills kills = NodeKills.begin(new Three(), SOON, said::add);
    assertEquals("killing node 2, which gives out commit numbers", next());
    assertEquals("killing node 3", next());
    String why = "one could not be killed or started again: its disk is full";
    assertEquals("no node is killed any more: " + why, next());
    IllegalStateException thrown = assertThrows(IllegalStateException.class, kills::close);
    assertEquals(why, thrown.getMessage());
    assertEquals(2, kills.kills());
    assertEquals(1, kills.ofSequencers());
  }
}
