package org.ecstore.tools.cli.slo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.QuotaLine;
import org.junit.jupiter.api.Test;

class ObjectiveRowTest {
  private static final Objective NONE =
      new Objective(
          "shop",
          List.of("users"),
          ServiceClass.BEST_EFFORT,
          1,
          List.of(),
          ObjectiveWorkload.UNSTATED);

  private static String holds(Objective objective, Optional<QuotaLine> quota) {
    ObjectiveLine line = new ObjectiveLine(objective, 0, Optional.empty(), List.of());
    String[] row = ObjectiveRow.of(line, quota);
    assertEquals(ObjectiveRow.TITLES.length, row.length);
    return row[Arrays.asList(ObjectiveRow.TITLES).indexOf("holds")];
  }

  private static String measured(Objective objective, long failures) {
    long micros = failures == 100 ? 0 : 3_000;
    ServiceFigures figures =
        new ServiceFigures(0, 10_000, 100, 0, failures, micros, micros, micros);
    ObjectiveLine line = new ObjectiveLine(objective, 0, Optional.of(figures), List.of());
    String[] row = ObjectiveRow.of(line, Optional.empty());
    List<String> titles = Arrays.asList(ObjectiveRow.TITLES);
    return row[titles.indexOf("measured")] + ": " + row[titles.indexOf("is")];
  }

  @Test
  void whatHasNoAnswerHasNoResponseTime() {
    Objective shop = Objective.guaranteed("shop").p99(Duration.ofMillis(20)).rate(50);
    assertEquals("p99 3 ms, 10/s: kept", measured(shop, 0));
    assertEquals("p99 3 ms, 10/s, 2 failed: violated", measured(shop, 2));
    assertEquals("no answer, 10/s, 100 failed: violated", measured(shop, 100));
    assertEquals("mean 3 ms, 10/s, 2 failed: kept", measured(NONE, 2));
  }

  private static Optional<QuotaLine> held(long bytes, boolean isRefused) {
    return Optional.of(new QuotaLine("shop", Optional.of(bytes), isRefused));
  }

  @Test
  void whatIsHeldIsShownWithItsShareOfTheQuota() {
    Objective limited = NONE.quota(2L << 30);
    assertEquals("-", holds(NONE, Optional.empty()));
    assertEquals("? of 2048 MiB", holds(limited, Optional.empty()));
    assertEquals(
        "? of 2048 MiB, refused",
        holds(limited, Optional.of(new QuotaLine("shop", Optional.empty(), true))));
    assertEquals("1024 MiB of 2048 MiB, 50%", holds(limited, held(1L << 30, false)));
    assertEquals("2048 MiB of 2048 MiB, 99%, refused", holds(limited, held((2L << 30) - 1, true)));
    assertEquals("4096 MiB of 2048 MiB, 200%, refused", holds(limited, held(4L << 30, true)));
  }
}
