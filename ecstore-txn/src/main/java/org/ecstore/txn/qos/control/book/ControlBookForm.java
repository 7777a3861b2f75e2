package org.ecstore.txn.qos.control.book;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlFields;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.ObjectiveFields;
import org.ecstore.txn.qos.book.KeptBook;
import org.ecstore.txn.qos.control.book.ControlBook.Cap;
import org.ecstore.txn.qos.control.book.ControlBook.HotThreshold;
import org.ecstore.txn.qos.control.book.ControlPast.Helpless;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * The bytes of the controller's book in coordination; the first says their form. What the releases
 * before decisions 0090, 0097 and 0102 can do is written as they read it.
 */
public final class ControlBookForm implements KeptBook.Form<ControlBook> {
  private static final int FORM = 1;

  /**
   * With weights of caps, a threshold of hot-spot replicas and the past behind all else; behind
   * these the proof that patience has, if it has any.
   */
  private static final int FORM_OF_THRESHOLDS = 2;

  @Override
  public ControlBook empty() {
    return ControlBook.EMPTY;
  }

  @Override
  public Bytes encode(ControlBook book) {
    boolean isLater = isLater(book);
    WireWriter out = new WireWriter().u8(isLater ? FORM_OF_THRESHOLDS : FORM);
    ControlFields.writeSettings(out, book.settings());
    out.list(book.caps(), (to, cap) -> to.text(cap.application()).varint(cap.perSecond()));
    out.list(book.added(), WireWriter::node);
    out.varint(book.lastNode()).varint(book.patience().windows());
    out.list(book.actions(), ControlFields::writeAction);
    if (isLater) {
      book.caps().forEach(cap -> out.varint(cap.weight()));
      out.varint(book.hotThreshold().perSecond()).varint(book.hotThreshold().unevenMilli());
      book.actions().forEach(action -> out.varint(book.past().begunMillis(action.number())));
      out.list(
          book.past().helpless(),
          (to, one) ->
              to.text(one.application()).varint(one.atMillis()).text(one.why()).text(one.detail()));
      if (book.patience().proof() > 0) {
        out.varint(book.patience().proof());
      }
    }
    return out.toBytes();
  }

  /** Whether earlier releases cannot read it, or would lose a part of it. */
  private static boolean isLater(ControlBook book) {
    return !book.past().isEmpty()
        || book.patience().proof() > 0
        || book.hotThreshold().isLowered()
        || book.caps().stream().anyMatch(cap -> cap.weight() > 0)
        || book.actions().stream().anyMatch(action -> isLater(action.kind()));
  }

  private static boolean isLater(ActionKind kind) {
    return switch (kind) {
      case LOWER_THRESHOLD, RAISE_THRESHOLD -> true;
      case LIMIT, RELEASE, REBALANCE, ADD_NODE, REMOVE_NODE -> false;
    };
  }

  @Override
  public ControlBook decode(Bytes bytes) {
    WireReader in = new WireReader(bytes);
    int form = in.u8();
    if (form != FORM && form != FORM_OF_THRESHOLDS) {
      throw new MalformedMessageException(
          "what the controller does, in form " + form + ", which is not known");
    }
    boolean isLater = form == FORM_OF_THRESHOLDS;
    ControlSettings settings = ControlFields.readSettings(in);
    List<Cap> caps =
        in.list(ServiceLimit.LIMITS_MAX, from -> new Cap(from.text(), from.natural(), 0));
    List<NodeId> added = in.list(ControlBook.ADDED_MAX, WireReader::node);
    long lastNode = in.natural();
    int windows = ObjectiveFields.readInt(in);
    List<ControlAction> actions = in.list(ControlBook.ACTIONS_MAX, ControlFields::readAction);
    List<Cap> weighed = isLater ? caps.stream().map(cap -> readWeight(in, cap)).toList() : caps;
    HotThreshold threshold =
        isLater ? new HotThreshold(in.natural(), in.natural()) : HotThreshold.CONFIGURED;
    ControlPast past = isLater ? readPast(in, actions) : ControlPast.NONE;
    int proof = isLater && in.remaining() > 0 ? ObjectiveFields.readInt(in) : 0;
    ControlPatience patience = new ControlPatience(windows, proof);
    in.expectEnd();
    return new ControlBook(settings, weighed, added, lastNode, patience, threshold, actions, past);
  }

  private static ControlPast readPast(WireReader in, List<ControlAction> actions) {
    SortedMap<Long, Long> begun = new TreeMap<>();
    for (ControlAction action : actions) {
      long millis = in.natural();
      if (millis > 0) {
        begun.put(action.number(), millis);
      }
    }
    return new ControlPast(
        begun,
        in.list(
            ControlPast.HELPLESS_MAX,
            from -> new Helpless(from.text(), from.natural(), from.text(), from.text())));
  }

  private static Cap readWeight(WireReader in, Cap cap) {
    return new Cap(cap.application(), cap.perSecond(), ObjectiveFields.readInt(in));
  }
}
