package org.ecstore.server.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.StateMachine;
import org.ecstore.core.testing.Await;
import org.ecstore.core.testing.Pause;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestWaitsTest {
  private static final StateMachine IDLE =
      new StateMachine() {
        @Override
        public void start() {}

        @Override
        public void on(Event event) {}

        @Override
        public void flush() {}
      };

  @Test
  void requestsAreCountedWithTheTimeThatTheyWaited() throws InterruptedException {
    try (EventLoop eventLoop = new EventLoop("test", LoopLimits.DEFAULT)) {
      RequestWaits waits = eventLoop.requestWaits();
      assertEquals(RequestWaits.Seen.NONE, waits.seen());
      for (int i = 0; i < 2; i++) {
        assertTrue(
            eventLoop.offer(
                new Event.Called(new ClientCall(i, 1), new ClientRequest.Inspect()), 1));
      }
      assertTrue(eventLoop.offer(new Event.KeyChanged("a"), 1));
      Pause.of(Duration.ofMillis(30));
      eventLoop.start(IDLE);
      Await.until("both were taken", () -> waits.seen().taken() == 2);
      long mean = waits.seen().meanNanosSince(RequestWaits.Seen.NONE);
      assertTrue(mean >= Duration.ofMillis(30).toNanos(), mean + " ns");
    }
  }

  @Test
  void whereNoneWasTakenNoneHasWaited() {
    RequestWaits.Seen before = new RequestWaits.Seen(3, 900);
    assertEquals(0, before.meanNanosSince(before));
    assertEquals(50, new RequestWaits.Seen(5, 1_000).meanNanosSince(before));
  }
}
