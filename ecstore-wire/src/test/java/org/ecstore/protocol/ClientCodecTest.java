package org.ecstore.protocol;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.ecstore.aggregate.Aggregate;
import org.ecstore.aggregate.ElementComparison;
import org.ecstore.aggregate.ElementCondition;
import org.ecstore.aggregate.Measure;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.AbortReason;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.ChangeMark;
import org.ecstore.model.CopyRole;
import org.ecstore.model.CopyState;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.NodeFact;
import org.ecstore.model.NodeRole;
import org.ecstore.model.Quorum;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.ReadSource;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.model.Row;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlChange;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.control.NodeSlot;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.Locality;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.Statistic;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ClientCodecTest {
  private static final long CORRELATION = 300;
  private static final ReadPoint POINT = new ReadPoint(new Position(200), new MapVersion(3));
  private static final TxnId TXN = new TxnId(0x0102030405060708L, 9);
  private static final KeyRange KEYS = KeyRange.of(Bytes.utf8("a"), Bytes.utf8("b"));
  private static final Route ROUTE =
      new Route(new RangeId(5), new Epoch(6), KEYS, new NodeId(7), "h:1");
  private static final Route WITH_COPIES =
      new Route(
          new RangeId(5),
          new Epoch(6),
          KEYS,
          new NodeId(7),
          "h:1",
          List.of(
              new Route.Secondary(new NodeId(8), "h:2"), new Route.Secondary(new NodeId(9), "")));
  private static final ReadSource PRIMARY =
      new ReadSource(new NodeId(7), CopyRole.PRIMARY, new Position(200), new Position(201), 2);
  private static final ReadSource SECONDARY =
      new ReadSource(new NodeId(8), CopyRole.SECONDARY, new Position(199), new Position(200), 0);
  private static final Row ROW = new Row(Bytes.utf8("k"), new Position(4), Bytes.utf8("v"));

  private static final Objective GUARANTEED =
      new Objective(
          "a",
          List.of("t"),
          ServiceClass.GUARANTEED,
          1,
          List.of(new ResponseTarget(Statistic.P99, Duration.ofNanos(200))),
          new ObjectiveWorkload(
              OptionalLong.of(9),
              OptionalInt.of(8),
              OptionalInt.of(7),
              Optional.of(Locality.ZIPF),
              Optional.of(new OfferedLoad.OperationRate(300))));
  private static final Objective BEST_EFFORT =
      new Objective(
          "b",
          List.of(),
          ServiceClass.BEST_EFFORT,
          2,
          List.of(),
          ObjectiveWorkload.UNSTATED.with(new OfferedLoad.ClientCount(5)));

  private static final Map<ClientRequest, String> REQUESTS = new LinkedHashMap<>();
  private static final Map<ClientReply, String> REPLIES = new LinkedHashMap<>();

  static {
    REQUESTS.put(new ClientRequest.Hello(1, "me"), "0101ac0200000001026d65");
    REQUESTS.put(new ClientRequest.Locate(Bytes.utf8("k")), "0102ac02016b");
    REQUESTS.put(new ClientRequest.Begin(ReadLevel.SESSION, POINT), "0103ac0201c80103");
    REQUESTS.put(new ClientRequest.Begin(ReadLevel.STRONG, POINT), "0103ac0202c80103");
    REQUESTS.put(
        new ClientRequest.Begin(new ReadLevel(ReadLevel.Kind.BOUNDED, 200), POINT),
        "0103ac0203c801c80103");
    REQUESTS.put(new ClientRequest.Begin(ReadLevel.LOCAL, POINT), "0103ac0204c80103");
    REQUESTS.put(
        new ClientRequest.BeginWith(
            ReadLevel.SESSION,
            POINT,
            new ClientRequest.Get(
                ReadPoint.ZERO, new RangeId(5), new Epoch(6), List.of(Bytes.utf8("k")), true)),
        "0111ac0201c80103070000050601016b01");
    REQUESTS.put(
        new ClientRequest.BeginWith(
            ReadLevel.LOCAL,
            POINT,
            new ClientRequest.Scan(
                ReadPoint.ZERO, new RangeId(5), new Epoch(6), KEYS, true, 100, false)),
        "0111ac0204c801030800000506016101016201640000");
    REQUESTS.put(new ClientRequest.BeginAt(new Position(200)), "0104ac02c801");
    REQUESTS.put(new ClientRequest.RenewSnapshot(8), "0105ac0208");
    REQUESTS.put(new ClientRequest.EndSnapshot(8), "0106ac0208");
    REQUESTS.put(
        new ClientRequest.Get(
            POINT, new RangeId(5), new Epoch(6), List.of(Bytes.utf8("k"), Bytes.EMPTY), true),
        "0107ac02c80103050602016b0001");
    REQUESTS.put(
        new ClientRequest.Scan(POINT, new RangeId(5), new Epoch(6), KEYS, true, 100, false),
        "0108ac02c801030506016101016201640000");
    REQUESTS.put(
        new ClientRequest.Commit(
            TXN,
            POINT,
            Isolation.SERIALIZABLE,
            List.of(Bytes.utf8("k")),
            List.of(KEYS, KeyRange.from(Bytes.utf8("c"))),
            List.of(
                new KeyWrite(Bytes.utf8("k"), Optional.of(Bytes.utf8("v"))),
                new KeyWrite(Bytes.utf8("l"), Optional.empty())),
            1000),
        "0109ac0201020304050607080000000000000009c801030101016b02016101016201630002016b010176016c00e807");
    REQUESTS.put(
        new ClientRequest.Commit(
            TXN, POINT, Isolation.SNAPSHOT, List.of(), List.of(), List.of(), 0),
        "0109ac0201020304050607080000000000000009c801030200000000");
    REQUESTS.put(
        new ClientRequest.AskOutcome(TXN, POINT), "010aac0201020304050607080000000000000009c80103");
    REQUESTS.put(new ClientRequest.Status(Optional.empty()), "010bac0200");
    REQUESTS.put(new ClientRequest.Inspect(), "010cac02");
    REQUESTS.put(
        new ClientRequest.Explain(Bytes.utf8("k"), Optional.of(new NodeId(7))), "010dac02016b0107");
    REQUESTS.put(
        new ClientRequest.Administer(new AdminRequest.Split(new RangeId(5), Optional.empty())),
        "010eac020105000000");
    REQUESTS.put(
        new ClientRequest.Administer(new AdminRequest.Merge(new RangeId(5), new RangeId(6))),
        "010eac020205060000");
    REQUESTS.put(
        new ClientRequest.Administer(
            new AdminRequest.Move(new RangeId(5), new NodeId(7), Optional.of(new NodeId(8))), 300),
        "010eac020305070108ac0200");
    REQUESTS.put(
        new ClientRequest.Administer(new AdminRequest.Drain(new NodeId(7))), "010eac0204070000");
    REQUESTS.put(new ClientRequest.Administer(new AdminRequest.Rebalance()), "010eac02050000");
    REQUESTS.put(
        new ClientRequest.Administer(new AdminRequest.Rebalance()).with(Bytes.of(1, 2)),
        "010eac020500020102");
    REQUESTS.put(new ClientRequest.AskChallenge(), "0112ac02");
    REQUESTS.put(new ClientRequest.ExplainBalance(), "0110ac02");
    REQUESTS.put(new ClientRequest.AskObjectives(), "0117ac02");
    REQUESTS.put(
        new ClientRequest.Administer(new AdminRequest.SetObjective(GUARANTEED, 3)),
        "010eac020601610101740a67756172616e74656564010103703939c80101090108010701047a6970660101ac02030000");
    REQUESTS.put(
        new ClientRequest.Administer(new AdminRequest.SetObjective(GUARANTEED.quota(300), 3)),
        "010eac020601610101740a67756172616e74656564010203703939c8010571756f7461ac020109010801070104"
            + "7a6970660101ac02030000");
    REQUESTS.put(
        new ClientRequest.Administer(new AdminRequest.RemoveObjective("a", 3)),
        "010eac02070161030000");
    REQUESTS.put(new ClientRequest.AskControl(), "0118ac02");
    REQUESTS.put(set(ControlMode.FREEZE, 1, 0), "010eac02080101000000");
    REQUESTS.put(set(ControlMode.OBSERVE, 300, 1), "010eac020802ac02010000");
    REQUESTS.put(set(ControlMode.ASK, 1, 0), "010eac02080301000000");
    REQUESTS.put(set(ControlMode.ACT, 5, 300), "010eac02080405ac020000");
    REQUESTS.put(
        change(Optional.of(ControlMode.FREEZE), OptionalInt.empty(), OptionalLong.empty()),
        "010eac020e010100000000");
    REQUESTS.put(
        change(Optional.empty(), OptionalInt.of(300), OptionalLong.empty()),
        "010eac020e0001ac02000000");
    REQUESTS.put(
        change(Optional.of(ControlMode.ACT), OptionalInt.of(5), OptionalLong.of(300)),
        "010eac020e0104010501ac020000");
    REQUESTS.put(
        new ClientRequest.Administer(new AdminRequest.AnswerAction(300, true)),
        "010eac0209ac02010000");
    REQUESTS.put(
        new ClientRequest.Administer(new AdminRequest.AnswerAction(7, false)),
        "010eac020907000000");
    REQUESTS.put(new ClientRequest.AskTables(), "011aac02");
    REQUESTS.put(new ClientRequest.AskWholeTable("a-1"), "011bac0203612d31");
    REQUESTS.put(
        new ClientRequest.Administer(new AdminRequest.UseTable("a-1", "c", 300)),
        "010eac020c03612d310163ac020000");
    REQUESTS.put(
        new ClientRequest.Administer(new AdminRequest.RemoveTable("a-1", 3)),
        "010eac020d03612d31030000");
    REQUESTS.put(new ClientRequest.AskDecisions(Optional.of(new RangeId(5))), "010fac020105");
    Quorum quorum = new Quorum(3, 2, 1);
    REQUESTS.put(
        new ClientRequest.QuorumGet(Bytes.utf8("k"), quorum, POINT, 100),
        "0114ac02016b030201c8010364");
    REQUESTS.put(
        new ClientRequest.QuorumWait(new Position(9), List.of(Bytes.utf8("k")), quorum, 100),
        "0115ac020901016b03020164");
    ChangeMark within =
        new ChangeMark(
            new Position(200),
            Optional.of(new ChangeMark.Part(new Position(201), Bytes.utf8("k"))));
    REQUESTS.put(
        new ClientRequest.ReadChanges(
            within, List.of(KEYS, KeyRange.from(Bytes.utf8("c"))), 1000, 100),
        "0116ac02c80101c901016b020161010162016300e80764");

    REPLIES.put(
        new ClientReply.QuorumValue(
            Optional.of(ROW),
            new Position(5),
            new Position(6),
            List.of(new ClientReply.AnsweringCopy(new NodeId(7), new Position(5))),
            true,
            false),
        "015aac0201016b04017605060107050100");
    REPLIES.put(new ClientReply.QuorumReached(2), "015bac0202");
    REPLIES.put(
        new ClientReply.ChangesRead(
            List.of(
                new ClientReply.CommitChanges(
                    new Position(201),
                    List.of(
                        new KeyWrite(Bytes.utf8("k"), Optional.of(Bytes.utf8("v"))),
                        new KeyWrite(Bytes.utf8("l"), Optional.empty())))),
            ChangeMark.after(new Position(201)),
            true),
        "015cac0201c90102016b010176016c00c9010001");
    REPLIES.put(new ClientReply.ChangesLost(new Position(7), new Position(200)), "015dac0207c801");
    REPLIES.put(new ClientReply.Welcome(1, "c", new NodeId(7)), "0141ac0200000001016307");
    REPLIES.put(new ClientReply.Located(ROUTE, 2), "0142ac02050601610101620703683a310002");
    REPLIES.put(new ClientReply.Begun(POINT, 8, 1000), "0143ac02c8010308e807");
    REPLIES.put(
        new ClientReply.BegunWith(
            new ClientReply.Begun(POINT, 0, 1000),
            new ClientReply.Values(List.of(Optional.of(ROW)), SECONDARY)),
        "0153ac02c8010300e807440101016b0401760802c701c80100");
    REPLIES.put(
        new ClientReply.BegunWith(
            new ClientReply.Begun(POINT, 0, 1000),
            new ClientReply.Scanned(List.of(ROW), KEYS, PRIMARY)),
        "0153ac02c8010300e8074501016b04017601610101620701c801c9010200");
    REPLIES.put(
        new ClientReply.Values(List.of(Optional.of(ROW), Optional.empty()), PRIMARY),
        "0144ac020201016b040176000701c801c90102");
    REPLIES.put(
        new ClientReply.Scanned(List.of(ROW), KEYS, SECONDARY, List.of(Bytes.utf8("b"))),
        "0145ac0201016b04017601610101620802c701c80100010162");
    REPLIES.put(new ClientReply.Behind(SECONDARY), "014fac020802c701c80100");
    REPLIES.put(new ClientReply.Challenge(Bytes.of(1, 2)), "0154ac02020102");
    REPLIES.put(
        new ClientReply.Redirect(new NodeId(8), "h:1", KEYS), "0151ac020803683a310161010162");
    REPLIES.put(
        new ClientReply.Located(WITH_COPIES, 0),
        "0142ac02050601610101620703683a31020803683a32090000");
    REPLIES.put(new ClientReply.Committed(new Position(201), POINT), "0146ac02c901c80103");
    REPLIES.put(
        new ClientReply.Aborted(
            new AbortReason.Conflict(
                new RangeId(5), KEYS, Optional.of(TXN), Optional.of(new Position(4))),
            POINT),
        "0147ac020105016101016201010203040506070800000000000000090104c80103");
    REPLIES.put(
        new ClientReply.Aborted(new AbortReason.TooOld(new Position(4)), POINT),
        "0147ac020204c80103");
    REPLIES.put(
        new ClientReply.Aborted(new AbortReason.RangeChanged(new RangeId(5)), POINT),
        "0147ac020305c80103");
    REPLIES.put(
        new ClientReply.Aborted(new AbortReason.SettledByAsker(), POINT), "0147ac0204c80103");
    REPLIES.put(
        new ClientReply.Aborted(new AbortReason.NotReachable("n7"), POINT),
        "0147ac0205026e37c80103");
    REPLIES.put(new ClientReply.OutcomeUnknown("late"), "0148ac02046c617465");
    REPLIES.put(new ClientReply.OutcomeExpired(new Position(4)), "0149ac0204");
    REPLIES.put(new ClientReply.WrongRange(List.of(ROUTE)), "014aac0201050601610101620703683a3100");
    REPLIES.put(new ClientReply.Refused(RefusalCode.SNAPSHOT_TOO_OLD, ""), "014bac020100");
    REPLIES.put(new ClientReply.Refused(RefusalCode.UNAVAILABLE, ""), "014bac020200");
    REPLIES.put(new ClientReply.Refused(RefusalCode.OVERLOADED, ""), "014bac020300");
    REPLIES.put(new ClientReply.Refused(RefusalCode.TOO_LARGE, ""), "014bac020400");
    REPLIES.put(new ClientReply.Refused(RefusalCode.BAD_REQUEST, "no"), "014bac0205026e6f");
    REPLIES.put(
        new ClientReply.StatusReport(
            POINT,
            List.of(
                new ClientReply.NodeLine(
                    new NodeId(7), "h:1", List.of(NodeRole.STORAGE, NodeRole.SEQUENCER))),
            List.of(ROUTE),
            List.of(
                new ClientReply.Holders(
                    new RangeId(5), Optional.of(new NodeId(7)), List.of(new NodeId(8))))),
        "014cac02c80103010703683a311273746f726167652c2073657175656e63657201050601610101620703683a3100010501070108");
    ClientReply.CopyLine copy =
        new ClientReply.CopyLine(
            new RangeId(5),
            new Epoch(6),
            KEYS,
            CopyState.SERVING,
            new Position(1),
            new Position(2),
            new Position(3));
    REPLIES.put(
        new ClientReply.Inspected(
            new NodeId(7),
            9,
            "w",
            List.of(NodeRole.STANDBY),
            List.of(new NodeFact("bookie down", "b: c")),
            Optional.of(new NodeId(8)),
            POINT,
            List.of(copy),
            new ClientReply.HotReplicasSeen(
                2, 300, 4, List.of(new ClientReply.HotReplicasFed(new RangeId(5), 6))),
            List.of(new ClientReply.DiskRoom("e", 7, 300))),
        "014dac020709017702077374616e64627911626f6f6b696520646f776e3a20623a20630108c8010301050601610101620773657276696e6701020302ac0204010506"
            + "01016507ac02");
    REPLIES.put(
        new ClientReply.Explained(
            new NodeId(7),
            POINT,
            Optional.of(copy),
            Optional.of(new ClientReply.NodeLine(new NodeId(8), "h:1", List.of())),
            Optional.of(ROUTE)),
        "014eac0207c8010301050601610101620773657276696e67010203010803683a310001050601610101620703683a3100");
    REPLIES.put(
        new ClientReply.Decided(
            new NodeId(7),
            List.of(
                new ClientReply.DecisionLine(
                    1, Optional.of(9L), 3, "c", List.of(new RangeId(5)), "w", "", "o", ""))),
        "0150ac0207010101090301630105017700016f00");
    REPLIES.put(
        new ClientReply.Balance(
            new NodeId(7),
            true,
            List.of(new ClientReply.BalanceShare(new NodeId(8), 2, Optional.of(9L), 3, 4)),
            List.of(new ClientReply.BalanceStep("w", "y"))),
        "0152ac020701010802010903040101770179");
    ServiceFigures figures = new ServiceFigures(1, 2, 3, 4, 5, 6, 7, 8);
    REPLIES.put(
        new ClientReply.Objectives(
            new NodeId(7),
            List.of(
                new ClientReply.ObjectiveLine(
                    BEST_EFFORT, 3, Optional.of(figures), List.of(figures))),
            List.of(new ClientReply.ObjectiveChangeLine(1, 3, true, BEST_EFFORT))),
        "015eac0207010162000b626573742d6566666f727402000000000001020503010102030405060708010102030405060708010103010162000b626573742d6566666f7274020000000000010205");
    REPLIES.put(
        new ClientReply.Control(
            new NodeId(7),
            new ControlSettings(ControlMode.ACT, 5, 300),
            "p",
            List.of(new ClientReply.NodeLoadLine(new NodeId(8), new NodeLoad(1, 300, 3, 4, 5))),
            List.of(new ClientReply.ControlCheckLine("a", 12, 20, 3)),
            List.of(new ServiceLimit("b", List.of("t"), 300, 9)),
            List.of(
                new ControlAction(
                    300,
                    ActionKind.ADD_NODE,
                    "a",
                    "",
                    Optional.of(new NodeId(9)),
                    0,
                    "w",
                    1,
                    2,
                    ActionStage.UNDER_WAY,
                    3,
                    "d"))),
        "015fac02070405ac020170"
            + "010801ac02030405"
            + "0101610c1403"
            + "010162010174ac0209"
            + "01ac02040161000109000177010202030164");
    REPLIES.put(
        new ClientReply.Control(
            new NodeId(7),
            ControlSettings.DEFAULT,
            "",
            List.of(),
            List.of(),
            List.of(),
            List.of(
                action(ActionKind.LIMIT, ActionStage.PROPOSED),
                action(ActionKind.RELEASE, ActionStage.MEASURING),
                action(ActionKind.REBALANCE, ActionStage.DONE),
                action(ActionKind.ADD_NODE, ActionStage.FAILED),
                action(ActionKind.REMOVE_NODE, ActionStage.WITHDRAWN))),
        "015fac020702e807000000000005"
            + "010100016200ac02000000010000"
            + "010200016200ac02000000030000"
            + "010300016200ac02000000040000"
            + "010400016200ac02000000050000"
            + "010500016200ac02000000060000");
    REPLIES.put(
        new ClientReply.Control(
            new NodeId(7),
            ControlSettings.DEFAULT,
            "",
            List.of(),
            List.of(),
            List.of(),
            List.of(
                action(ActionKind.LOWER_THRESHOLD, ActionStage.UNDER_WAY),
                action(ActionKind.RAISE_THRESHOLD, ActionStage.DONE))),
        "015fac020702e807000000000002"
            + "010600016200ac02000000020000"
            + "010700016200ac02000000040000");
    REPLIES.put(
        new ClientReply.Tables(
            new NodeId(7),
            List.of(new ClientReply.TableLine("a", 300, "m", "c", "s")),
            List.of(
                new ClientReply.TableUseLine("x", Optional.of("a"), ""),
                new ClientReply.TableUseLine("y", Optional.empty(), "w"))),
        "0161ac0207010161ac02016d01630173020178010161000179000177");
    REPLIES.put(new ClientReply.WholeTable(Optional.of("t")), "0162ac02010174");
    REPLIES.put(new ClientReply.WholeTable(Optional.empty()), "0162ac0200");
  }

  private static ClientRequest set(ControlMode mode, int nodesMax, long costMaxMilli) {
    return new ClientRequest.Administer(
        new AdminRequest.SetControl(new ControlSettings(mode, nodesMax, costMaxMilli)));
  }

  private static ClientRequest change(
      Optional<ControlMode> mode, OptionalInt nodesMax, OptionalLong costMaxMilli) {
    return new ClientRequest.Administer(
        new AdminRequest.ChangeControl(new ControlChange(mode, nodesMax, costMaxMilli)));
  }

  private static ControlAction action(ActionKind kind, ActionStage stage) {
    return new ControlAction(1, kind, "", "b", Optional.empty(), 300, "", 0, 0, stage, 0, "");
  }

  @Test
  void bytesOfRequestsNeverChange() {
    REQUESTS.forEach(
        (request, hex) -> {
          Bytes body = ClientCodec.encodeRequest(CORRELATION, request);
          assertEquals(hex, HexFormat.of().formatHex(body.array()), request::toString);
          assertEquals(
              new CorrelatedRequest(CORRELATION, request), ClientCodec.decodeRequest(body));
        });
  }

  @Test
  void bytesOfRepliesNeverChange() {
    REPLIES.forEach(
        (reply, hex) -> {
          Bytes body = ClientCodec.encodeReply(CORRELATION, reply);
          assertEquals(hex, HexFormat.of().formatHex(body.array()), reply::toString);
          assertEquals(new CorrelatedReply(CORRELATION, reply), ClientCodec.decodeReply(body));
        });
  }

  @Test
  void everyMessageHasGoldenBytes() {
    Set<Class<?>> seen = new LinkedHashSet<>();
    REQUESTS.keySet().forEach(request -> seen.add(request.getClass()));
    REPLIES.keySet().forEach(reply -> seen.add(reply.getClass()));
    List<Class<?>> all = new ArrayList<>();
    RequestTable.rows().forEach(row -> all.add(row.type()));
    ReplyTable.rows().forEach(row -> all.add(row.type()));
    assertTrue(seen.containsAll(all), () -> "without golden bytes: " + minus(all, seen));
  }

  private static List<Class<?>> minus(List<Class<?>> all, Set<Class<?>> seen) {
    List<Class<?>> left = new ArrayList<>(all);
    left.removeAll(seen);
    return left;
  }

  @Test
  void randomMessagesComeBackAsTheyWere() {
    for (long seed = 0; seed < 20_000; seed++) {
      RandomMessages random = new RandomMessages(seed);
      String which = "seed " + seed;
      CorrelatedRequest request = random.correlated(seed);
      assertEquals(request, ClientCodec.decodeRequest(ClientCodec.encodeRequest(request)), which);
      ClientReply reply = random.reply();
      assertEquals(
          new CorrelatedReply(-seed, reply),
          ClientCodec.decodeReply(ClientCodec.encodeReply(-seed, reply)),
          which);
    }
  }

  @Test
  void everyProperPrefixAndEveryExtensionIsRefused() {
    for (ClientRequest request : REQUESTS.keySet()) {
      Bytes body = ClientCodec.encodeRequest(CORRELATION, request);
      for (int length = 0; length < body.length(); length++) {
        Bytes cut = body.slice(0, length);
        assertThrows(MalformedMessageException.class, () -> ClientCodec.decodeRequest(cut));
      }
      assertThrows(
          MalformedMessageException.class, () -> ClientCodec.decodeRequest(body.successor()));
    }
    for (ClientReply reply : REPLIES.keySet()) {
      Bytes body = ClientCodec.encodeReply(CORRELATION, reply);
      for (int length = 0; length < body.length(); length++) {
        Bytes cut = body.slice(0, length);
        assertThrows(MalformedMessageException.class, () -> ClientCodec.decodeReply(cut));
      }
      assertThrows(
          MalformedMessageException.class, () -> ClientCodec.decodeReply(body.successor()));
    }
  }

  @Test
  void everyRowHasARandomMessage() {
    RandomMessages random = new RandomMessages(1);
    assertEquals(
        RequestTable.rows().stream().map(MessageTable.Row::type).collect(toSet()),
        random.requestTypes());
    assertEquals(
        ReplyTable.rows().stream().map(MessageTable.Row::type).collect(toSet()),
        random.replyTypes());
  }

  /** A reply that answers nothing has no use, and what answers is a reply. */
  @Test
  void everyReplyAnswersSomething() {
    Set<Class<?>> answers = new HashSet<>(Set.of(ClientReply.Refused.class));
    RequestTable.rows().forEach(row -> answers.addAll(row.answers()));
    assertEquals(ReplyTable.rows().stream().map(MessageTable.Row::type).collect(toSet()), answers);
  }

  @Test
  void noMessageIsOfAVersionThatIsNotSpoken() {
    assertEquals(
        ProtocolVersions.SPOKEN.highest(),
        Math.max(RequestTable.ROWS.version(), ReplyTable.ROWS.version()));
  }

  private static final Bytes TRACE =
      Bytes.wrap(HexFormat.of().parseHex("0102030405060708090a0b0c0d0e0f10111213141516171801"));

  @Test
  void bytesOfOptionalFieldsNeverChange() {
    assertReply(new ClientReply.Refused(RefusalCode.OVERLOADED, "", 300), "014bac0203001102ac02");
    assertReply(
        new ClientReply.Refused(RefusalCode.OVER_QUOTA, "no", 300),
        "014bac0204026e6f" + "1102ac02" + "150106");
    assertReply(
        new ClientReply.Objectives(
            new NodeId(7),
            List.of(),
            List.of(),
            List.of(
                new ClientReply.QuotaLine("a", Optional.of(300L), true),
                new ClientReply.QuotaLine("b", Optional.empty(), false))),
        "015eac02070000" + "160b" + "02016101ac020101620000");
    assertReply(
        new ClientReply.Objectives(
            new NodeId(7),
            List.of(),
            List.of(),
            List.of(),
            List.of(
                new ClientReply.NodeHistoryLine(
                    new NodeId(8), List.of(new NodeSlot(300, new NodeLoad(1, 300, 3, 4, 5)))),
                new ClientReply.NodeHistoryLine(new NodeId(9), List.of()))),
        "015eac02070000" + "180d" + "02" + "0801ac0201ac02030405" + "0900");
    assertReply(
        new ClientReply.Welcome(1, "c", new NodeId(7), 300, 0), "0141ac02000000010163071002ac02");
    assertReply(
        new ClientReply.Welcome(1, "c", new NodeId(7), 0, 2), "0141ac0200000001016307130102");
    assertReply(
        new ClientReply.Welcome(1, "c", new NodeId(7), 300, 1),
        "0141ac02000000010163071002ac02130101");
    assertRequest(
        new CorrelatedRequest(CORRELATION, new ClientRequest.Hello(2, "me", 1)),
        "0101ac0200000002026d65" + "100101");
    RequestOptions all =
        new RequestOptions(
            Optional.of("shop"),
            Optional.of(Bytes.of(7, 8)),
            Optional.of(
                new TraceContext(
                    0x0102030405060708L, 0x090a0b0c0d0e0f10L, 0x1112131415161718L, 1)));
    String options = "010473686f70" + "02020708" + "0319" + HexFormat.of().formatHex(TRACE.array());
    assertRequest(
        new CorrelatedRequest(CORRELATION, new ClientRequest.Inspect(), all), "010cac02" + options);
    assertRequest(
        new CorrelatedRequest(CORRELATION, new ClientRequest.Hello(2, "me", 1), all),
        "0101ac0200000002026d65" + options + "100101");
    ClientRequest.Commit commit =
        new ClientRequest.Commit(
            TXN, POINT, Isolation.SNAPSHOT, List.of(), List.of(), List.of(), 0);
    String head = "0109ac0201020304050607080000000000000009c8010302000000" + "00";
    assertRequest(
        new CorrelatedRequest(CORRELATION, commit.by(CatalogStamp.at(300)), all),
        head + options + "0402ac02");
    assertRequest(
        new CorrelatedRequest(CORRELATION, commit.by(new CatalogStamp(300, true))),
        head + "0402ac02" + "110101");
  }

  /**
   * To a reader that skips its optional field it is a code of the first release, which is not tried
   * again; and one that comes yet later is to this one.
   */
  @Test
  void codesThatCameLaterAreTheNearestToThoseWhoDoNotKnowThem() {
    Bytes quota =
        ClientCodec.encodeReply(CORRELATION, new ClientReply.Refused(RefusalCode.OVER_QUOTA, "no"));
    Bytes first =
        ClientCodec.encodeReply(CORRELATION, new ClientReply.Refused(RefusalCode.TOO_LARGE, "no"));
    assertEquals(first, quota.slice(0, first.length()));
    for (String field : List.of("150107", "150106")) {
      Bytes later = first.concat(Bytes.wrap(HexFormat.of().parseHex(field)));
      assertEquals(
          new ClientReply.Refused(
              field.endsWith("6") ? RefusalCode.OVER_QUOTA : RefusalCode.TOO_LARGE, "no"),
          ClientCodec.decodeReply(later).reply());
    }
  }

  @Test
  void anObjectiveHasOneQuota() {
    String twice = "0571756f7461ac02".repeat(2);
    Bytes body =
        Bytes.wrap(
            HexFormat.of()
                .parseHex(
                    "010eac020601610101740a67756172616e746565640102" + twice + "0000000000030000"));
    assertTrue(
        String.valueOf(
                assertThrows(MalformedMessageException.class, () -> ClientCodec.decodeRequest(body))
                    .getMessage())
            .contains("2 quotas"));
  }

  @Test
  void aggregatesAreOptionalFieldsOfScans() {
    assertRequest(
        new CorrelatedRequest(
            CORRELATION,
            new ClientRequest.Scan(POINT, new RangeId(5), new Epoch(6), KEYS, false, 100, true)
                .of(
                    new Aggregate(
                        3,
                        1,
                        1,
                        List.of(new ElementCondition(1, ElementComparison.AT_LEAST, Tuple.of(18))),
                        List.of(
                            new Measure(Measure.Kind.SUM, 2),
                            new Measure(Measure.Kind.MAX, Measure.VALUE))))),
        "0108ac02c801030506016101016200640100120e0301010101050231120200030200");
    assertReply(
        new ClientReply.Scanned(List.of(ROW), KEYS, SECONDARY, List.of(), true),
        "0145ac0201016b04017601610101620802c701c8010000140101");
  }

  /** A node that does not know the field tells all. */
  @Test
  void howManyRangesAStatusHasIsAnOptionalField() {
    assertRequest(
        new CorrelatedRequest(CORRELATION, new ClientRequest.Status(Optional.empty(), 500)),
        "010bac0200" + "1302f403");
  }

  private static void assertRequest(CorrelatedRequest request, String hex) {
    Bytes body = ClientCodec.encodeRequest(request);
    assertEquals(hex, HexFormat.of().formatHex(body.array()));
    assertEquals(request, ClientCodec.decodeRequest(body));
  }

  private static void assertReply(ClientReply reply, String hex) {
    Bytes body = ClientCodec.encodeReply(CORRELATION, reply);
    assertEquals(hex, HexFormat.of().formatHex(body.array()));
    assertEquals(reply, ClientCodec.decodeReply(body).reply());
  }

  @Test
  void unknownOptionalFieldsArePassedBy() {
    Bytes unknown = Bytes.of(9, 2, 1, 1, 200, 1, 0);
    for (ClientRequest request : REQUESTS.keySet()) {
      Bytes body = ClientCodec.encodeRequest(CORRELATION, request).concat(unknown);
      assertEquals(request, ClientCodec.decodeRequest(body).request());
      assertEquals(RequestOptions.NONE, ClientCodec.decodeRequest(body).options());
    }
    for (ClientReply reply : REPLIES.keySet()) {
      Bytes body = ClientCodec.encodeReply(CORRELATION, reply).concat(unknown);
      assertEquals(reply, ClientCodec.decodeReply(body).reply());
    }
  }

  @Test
  void knownOptionalFieldsAreHeldToTheirLimits() {
    assertMessage("65 bytes where 64", () -> decodeWith(1, new byte[65]));
    assertMessage("not UTF-8", () -> decodeWith(1, new byte[] {(byte) 0xc3}));
    assertMessage("4097 bytes where 4096", () -> decodeWith(2, new byte[4097]));
    assertMessage("ends early", () -> decodeWith(3, new byte[24]));
    assertMessage("trailing bytes: 1", () -> decodeWith(3, TRACE.successor().array()));
    assertMessage("id of zeros", () -> decodeWith(3, new byte[25]));
    assertMessage(
        "trailing bytes: 1", () -> decodeWith(commitOf(List.of(), List.of()), 4, new byte[2]));
    decodeWith(1, new byte[64]);
    decodeWith(2, new byte[4096]);
    decodeWith(3, TRACE.array());
  }

  private static CorrelatedRequest decodeWith(int tag, byte[] value) {
    return decodeWith(new ClientRequest.Inspect(), tag, value);
  }

  private static CorrelatedRequest decodeWith(ClientRequest request, int tag, byte[] value) {
    Bytes body = ClientCodec.encodeRequest(CORRELATION, request);
    WireWriter field = new WireWriter().varint(tag).varint(value.length).raw(value);
    return ClientCodec.decodeRequest(body.concat(field.toBytes()));
  }

  @Test
  void operationsThatAreNotKnownAreRefusedByTheirNumber() {
    WireWriter out = new WireWriter();
    out.u8(ClientCodec.VERSION).u8(9).varint(1).txn(TXN).point(POINT).u8(1).varint(0).varint(0);
    out.varint(1).bytes(Bytes.utf8("k"));
    Bytes head = out.toBytes();
    assertMessage(
        "operation 99 is not supported by this version",
        () -> ClientCodec.decodeRequest(head.concat(Bytes.of(2, 99, 0, 0))));
    assertMessage(
        "no operand of ADD: 7 bytes",
        () -> ClientCodec.decodeRequest(head.concat(Bytes.of(2, 1, 7, 0, 0, 0, 0, 0, 0, 0, 0))));
    assertMessage(
        "no operand of APPEND_IF_ABSENT: 2 bytes",
        () -> ClientCodec.decodeRequest(head.concat(Bytes.of(2, 4, 2, 5, 0, 0))));
    assertMessage(
        "unknown kind of write: 3",
        () -> ClientCodec.decodeRequest(head.concat(Bytes.of(3, 1, 0, 0))));
  }

  @Test
  void aReadWithinABeginMustBeOne() {
    Bytes body = Bytes.of(1, 17, 1, 2, 0, 0, 17);
    assertMessage("BeginWith where only Read", () -> ClientCodec.decodeRequest(body));
  }

  @Test
  void unknownVersionsAndTypesAreRefused() {
    assertMessage("unknown version", () -> ClientCodec.decodeRequest(Bytes.of(2, 2, 0, 0)));
    assertMessage("unknown type of request", () -> ClientCodec.decodeRequest(Bytes.of(1, 0, 0)));
    assertMessage("unknown type of request", () -> ClientCodec.decodeRequest(Bytes.of(1, 50, 0)));
    assertMessage("unknown version", () -> ClientCodec.decodeReply(Bytes.of(0, 70, 0, 0)));
    assertMessage("unknown type of reply", () -> ClientCodec.decodeReply(Bytes.of(1, 120, 0)));
    Bytes request = ClientCodec.encodeRequest(1, new ClientRequest.BeginAt(Position.ZERO));
    assertMessage("unknown type of reply", () -> ClientCodec.decodeReply(request));
  }

  @Test
  void keysAndValuesAtTheirLimitPassAndLongerOnesAreRefused() {
    Bytes key = Bytes.wrap(new byte[Limits.KEY_BYTES_MAX]);
    Bytes value = Bytes.wrap(new byte[Limits.VALUE_BYTES_MAX]);
    assertPasses(commitOf(List.of(), List.of(new KeyWrite(key, Optional.of(value)))));
    assertPasses(new ClientRequest.Locate(key));
    assertRefused(
        commitOf(List.of(), List.of(new KeyWrite(key, Optional.of(value.successor())))),
        "1048577 bytes where 1048576");
    assertRefused(
        commitOf(List.of(), List.of(new KeyWrite(key.successor(), Optional.empty()))),
        "4097 bytes where 4096");
    assertRefused(commitOf(List.of(key.successor()), List.of()), "4097 bytes where 4096");
  }

  @Test
  void boundsReachToTheSuccessorOfTheLongestKey() {
    Bytes key = Bytes.wrap(new byte[Limits.KEY_BYTES_MAX]);
    assertPasses(new ClientRequest.Status(Optional.of(KeyRange.single(key))));
    assertRefused(
        new ClientRequest.Status(Optional.of(KeyRange.single(key.successor()))),
        "4098 bytes where 4097");
    // Behind the longest key a scan goes on at its successor.
    assertPasses(new ClientRequest.Locate(key.successor()));
    assertRefused(new ClientRequest.Locate(key.successor().successor()), "4098 bytes where 4097");
  }

  @Test
  void countsAtTheirLimitPassAndGreaterOnesAreRefused() {
    List<Bytes> most = Collections.nCopies(Limits.GET_KEYS_MAX, Bytes.EMPTY);
    assertPasses(new ClientRequest.Get(POINT, new RangeId(1), Epoch.ZERO, most));
    List<Bytes> tooMany = Collections.nCopies(Limits.GET_KEYS_MAX + 1, Bytes.EMPTY);
    assertRefused(
        new ClientRequest.Get(POINT, new RangeId(1), Epoch.ZERO, tooMany),
        "65537 elements where 65536");
    KeyWrite write = new KeyWrite(Bytes.EMPTY, Optional.empty());
    List<Bytes> reads =
        IntStream.range(1, Limits.TRANSACTION_ITEMS_MAX)
            .mapToObj(i -> Bytes.of(i >>> 16 & 0xff, i >>> 8 & 0xff, i & 0xff))
            .toList();
    assertPasses(commitOf(reads, List.of(write)));
    assertRefused(commitOf(reads, List.of(write, write)), "2 elements where 1");
  }

  @Test
  void countsBeyondTheMessageAreRefusedBeforeAnythingIsAllocated() {
    WireWriter out = new WireWriter();
    out.u8(ClientCodec.VERSION).u8(7).varint(1).point(POINT).varint(1).varint(1);
    out.varint(Integer.MAX_VALUE);
    assertMessage("count beyond the message", () -> ClientCodec.decodeRequest(out.toBytes()));
  }

  @Test
  void negativeLimitsOfScansAndInvertedIntervalsAreRefused() {
    assertRefused(
        new ClientRequest.Scan(POINT, new RangeId(1), Epoch.ZERO, KEYS, false, -1, false),
        "negative number");
    WireWriter out = new WireWriter();
    out.u8(ClientCodec.VERSION).u8(11).varint(1).bool(true);
    out.bytes(Bytes.utf8("b")).bool(true).bytes(Bytes.utf8("b"));
    assertMessage("inverted range", () -> ClientCodec.decodeRequest(out.toBytes()));
  }

  @Test
  void listsOfKeysOutOfOrderOrDoubleAreRefusedInOneLine() {
    Bytes a = Bytes.utf8("a");
    Bytes b = Bytes.utf8("b");
    KeyWrite writeA = new KeyWrite(a, Optional.empty());
    KeyWrite writeB = new KeyWrite(b, Optional.of(a));
    assertPasses(commitOf(List.of(a, b), List.of(writeA, writeB)));
    assertRefused(commitOf(List.of(b, a), List.of(writeA)), "keys must be sorted, each once");
    assertRefused(commitOf(List.of(a, a), List.of(writeA)), "number 2 is not above the one before");
    assertRefused(commitOf(List.of(), List.of(writeB, writeA)), "keys written must be sorted");
    assertRefused(commitOf(List.of(), List.of(writeA, writeA)), "keys written must be sorted");
  }

  @Test
  void intervalsThatOverlapOrDescendAreRefusedInOneLine() {
    KeyRange ab = KeyRange.of(Bytes.utf8("a"), Bytes.utf8("b"));
    KeyRange ac = KeyRange.of(Bytes.utf8("a"), Bytes.utf8("c"));
    KeyRange bc = KeyRange.of(Bytes.utf8("b"), Bytes.utf8("c"));
    assertPasses(scanned(List.of(ab, bc)));
    for (List<KeyRange> wrong :
        List.of(
            List.of(ab, ab),
            List.of(bc, ab),
            List.of(ac, bc),
            List.of(ab, ac),
            List.of(KeyRange.ALL, bc))) {
      assertRefused(scanned(wrong), "intervals must be sorted, each once");
    }
  }

  private static ClientRequest scanned(List<KeyRange> intervals) {
    return new ClientRequest.Commit(
        TXN, POINT, Isolation.SERIALIZABLE, List.of(), intervals, List.of(), 1000);
  }

  private static ClientRequest commitOf(List<Bytes> reads, List<KeyWrite> writes) {
    return new ClientRequest.Commit(
        TXN, POINT, Isolation.SERIALIZABLE, reads, List.of(), writes, 1000);
  }

  private static void assertPasses(ClientRequest request) {
    Bytes body = ClientCodec.encodeRequest(1, request);
    assertEquals(request, ClientCodec.decodeRequest(body).request());
  }

  private static void assertRefused(ClientRequest request, String why) {
    Bytes body = ClientCodec.encodeRequest(1, request);
    assertMessage(why, () -> ClientCodec.decodeRequest(body));
  }

  private static void assertMessage(String part, Executable call) {
    String message =
        String.valueOf(assertThrows(MalformedMessageException.class, call).getMessage());
    assertTrue(message.contains(part), () -> message);
  }
}
