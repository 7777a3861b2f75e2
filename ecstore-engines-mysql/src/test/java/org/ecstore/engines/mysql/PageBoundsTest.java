package org.ecstore.engines.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.engines.store.Ownership;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.wire.Limits;
import org.junit.jupiter.api.Test;

/** Pages of a server that does not answer in time, and of one that does again. */
class PageBoundsTest {
  private static final int MEBI = 1 << 20;

  /** How many rows each page was asked for: the last number of its statement. */
  private final List<Integer> asked = new ArrayList<>();

  private int number;

  private static <T> T of(Class<T> kind, InvocationHandler answers) {
    return kind.cast(
        Proxy.newProxyInstance(
            PageBoundsTest.class.getClassLoader(), new Class<?>[] {kind}, answers));
  }

  /** A server that answers no statement in time. */
  private DataSource slow() {
    PreparedStatement statement =
        of(
            PreparedStatement.class,
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "setInt" -> number = (Integer) arguments[1];
                case "executeQuery" -> {
                  asked.add(number);
                  throw new SQLTimeoutException("too late");
                }
                default -> {}
              }
              return null;
            });
    Connection connection =
        of(
            Connection.class,
            (proxy, method, arguments) ->
                method.getName().equals("prepareStatement") ? statement : null);
    return of(DataSource.class, (proxy, method, arguments) -> connection);
  }

  @Test
  void pageThatTookTooLongIsAskedForAgainShorter() {
    MysqlReads reads = new MysqlReads(slow(), new Tables("s"), new Ownership("token", 0));
    ScanBounds wanted = new ScanBounds(false, Integer.MAX_VALUE, MEBI, false);
    for (int tries = 0; tries < 6; tries++) {
      assertThrows(SQLTimeoutException.class, () -> reads.scan(KeyRange.ALL, wanted));
    }
    // Rows are taken for 1 KiB, the most in a page; then for eight times as much each time, as far
    // as a value may be long.
    assertEquals(List.of(1_024, 129, 17, 3, 2, 2), asked);
  }

  @Test
  void pagesBecomeLongAgainBehindShortRows() {
    PageBounds pages = new PageBounds();
    for (int tries = 0; tries < 100; tries++) {
      pages.failed();
    }
    assertEquals(MEBI / Limits.VALUE_BYTES_MAX + 1, pages.rows(MEBI, 1_024));
    FoundRow row =
        new FoundRow(Bytes.utf8("k"), new Position(1), 100, Optional.of(Bytes.utf8("v")));
    for (int found = 0; found < 30; found++) {
      pages.learn(List.of(row, row));
    }
    assertEquals(1_024, pages.rows(MEBI, 1_024));
  }
}
