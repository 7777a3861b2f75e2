package org.ecstore.client.fake;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.id.Position;
import org.ecstore.model.ChangeMark;
import org.ecstore.model.KeyWrite;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;

/** The commits of a fake store, as its nodes tell them (rule 29). Guarded by the store. */
final class FakeChanges {
  private final NavigableMap<Position, List<KeyWrite>> commits = new TreeMap<>();
  private Position first = new Position(1);
  private int writesMax = Integer.MAX_VALUE;

  void add(Position number, List<KeyWrite> writes) {
    List<KeyWrite> sorted = new ArrayList<>(writes);
    sorted.sort(Comparator.comparing(KeyWrite::key));
    commits.put(number, sorted);
  }

  /** Nothing below a position is kept. */
  void keepFrom(Position position) {
    first = position;
  }

  /** No answer has more writes than this. */
  void writesMax(int writes) {
    writesMax = writes;
  }

  ClientReply answer(ClientRequest.ReadChanges read, Position durable) {
    Position after = read.mark().after();
    if (after.isAfter(durable)) {
      return new ClientReply.ChangesLost(Position.ZERO, durable);
    }
    if (first.isAfter(after.next())) {
      return new ClientReply.ChangesLost(first, durable);
    }
    List<ClientReply.CommitChanges> told = new ArrayList<>();
    int left = writesMax;
    for (Position number : commits.tailMap(after, false).keySet()) {
      List<KeyWrite> writes = new ArrayList<>();
      for (KeyWrite write : wanted(number, read)) {
        if (left-- == 0) {
          if (!writes.isEmpty()) {
            told.add(new ClientReply.CommitChanges(number, writes));
          }
          return new ClientReply.ChangesRead(told, within(number, writes, read.mark()), false);
        }
        writes.add(write);
      }
      if (!writes.isEmpty()) {
        told.add(new ClientReply.CommitChanges(number, writes));
      }
    }
    return new ClientReply.ChangesRead(told, ChangeMark.after(durable), true);
  }

  private List<KeyWrite> wanted(Position number, ClientRequest.ReadChanges read) {
    return commits.getOrDefault(number, List.of()).stream()
        .filter(write -> read.intervals().stream().anyMatch(keys -> keys.contains(write.key())))
        .filter(
            write ->
                read.mark()
                    .within()
                    .filter(part -> part.number().equals(number))
                    .filter(part -> write.key().compareTo(part.through()) <= 0)
                    .isEmpty())
        .toList();
  }

  private static ChangeMark within(Position number, List<KeyWrite> writes, ChangeMark asked) {
    Position before = new Position(number.value() - 1);
    return writes.isEmpty()
        ? new ChangeMark(before, asked.within().filter(part -> part.number().equals(number)))
        : new ChangeMark(
            before, Optional.of(new ChangeMark.Part(number, writes.get(writes.size() - 1).key())));
  }
}
