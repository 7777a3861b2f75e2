package org.ecstore.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.RecordComponent;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.Epoch;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.wire.Limits;
import org.junit.jupiter.api.Test;

class RequestWeightTest {
  private static final Bytes KEY = Bytes.utf8("key");

  private static long items(ClientRequest request) {
    Bytes body = ClientCodec.encodeRequest(7, request);
    return (RequestWeight.of(body) - RequestWeight.LEAST - body.length()) / Limits.ITEM_HEAP_BYTES;
  }

  @Test
  void everyKeyAndIntervalOfARequestHasItsWeight() {
    ClientRequest.Get get =
        new ClientRequest.Get(
            ReadPoint.ZERO, new RangeId(1), new Epoch(1), Collections.nCopies(400, KEY));
    assertEquals(400, items(get));
    assertEquals(400, items(new ClientRequest.BeginWith(ReadLevel.STRONG, ReadPoint.ZERO, get)));
    assertEquals(
        2 + 1 + 3,
        items(
            new ClientRequest.Commit(
                new TxnId(1, 2),
                ReadPoint.ZERO,
                Isolation.SERIALIZABLE,
                List.of(KEY, KEY),
                List.of(KeyRange.ALL),
                List.of(
                    new KeyWrite(KEY, Optional.of(KEY)),
                    new KeyWrite(KEY, Optional.empty()),
                    new KeyWrite(KEY, Optional.of(Bytes.EMPTY))),
                9)));
    assertEquals(0, items(new ClientRequest.Hello(1, "name")));
  }

  /** So a new request with lists of keys cannot be forgotten, on the wire or within a process. */
  @Test
  void everyListOfAnyRequestHasItsWeight() {
    RandomMessages random = new RandomMessages(5);
    for (int i = 0; i < 5_000; i++) {
      CorrelatedRequest correlated = random.correlated(i);
      ClientRequest request = correlated.request();
      int elements = elements(request);
      assertEquals(elements, items(request), request::toString);
      long leastInProcess = RequestWeight.of(0, elements);
      assertTrue(RequestWeight.of(request) >= leastInProcess, request::toString);
      int beside =
          ClientCodec.encodeRequest(correlated).length()
              - ClientCodec.encodeRequest(i, request).length();
      assertEquals(
          RequestWeight.of(ClientCodec.encodeRequest(i, request)) + beside,
          RequestWeight.of(ClientCodec.encodeRequest(correlated)));
    }
  }

  /** Elements of all lists of a record and of the records within. */
  private static int elements(Object record) {
    int found = 0;
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Object value = valueOf(record, component);
      if (value instanceof List<?> list) {
        found += list.size();
      } else if (value instanceof ClientRequest) {
        found += elements(value);
      }
    }
    return found;
  }

  private static Object valueOf(Object record, RecordComponent component) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(component.getName(), e);
    }
  }

  @Test
  void whatIsNoRequestWeighsWhatItsDecodingWouldRead() {
    RandomMessages random = new RandomMessages(3);
    for (int i = 0; i < 2_000; i++) {
      Bytes body = ClientCodec.encodeRequest(i, random.request());
      Bytes cut = body.slice(0, body.length() / 2);
      assertTrue(RequestWeight.of(cut) >= cut.length());
      assertTrue(RequestWeight.of(cut) <= RequestWeight.of(body));
    }
  }
}
