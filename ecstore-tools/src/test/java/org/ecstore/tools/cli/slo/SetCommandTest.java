package org.ecstore.tools.cli.slo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.objective.Objective;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What {@code slo set} and {@code slo remove} tell a cluster, which refuses some. */
class SetCommandTest {
  private static final Optional<Path> FILE = Optional.of(Path.of("slo.toml"));
  private static final Objective SHOP = Objective.bestEffort("shop").tables("users");
  private static final Objective MAIL = Objective.bestEffort("mail").tables("inbox");
  private static final Objective REPORTS = Objective.bestEffort("reports");

  private final StringWriter out = new StringWriter();
  private final Steward steward = new Steward();

  /** One that does not promise everything. */
  private static final class Steward implements ClusterAccess.Link {
    private final List<ObjectiveLine> standing = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private String found = "it stands";
    private String refused = "";

    @Override
    public <T extends ClientReply> T ask(ClientRequest request, Class<T> kind) {
      return kind.cast(answer(request));
    }

    private ClientReply answer(ClientRequest request) {
      return switch (request) {
        case ClientRequest.AskObjectives _ -> new Objectives(new NodeId(1), standing, List.of());
        case ClientRequest.Administer wanted -> decided(wanted.adminRequest());
        default -> throw new IllegalStateException(request.toString());
      };
    }

    private Decided decided(AdminRequest request) {
      String application =
          switch (request) {
            case AdminRequest.OfObjectives of -> of.application();
            default -> throw new IllegalStateException(request.toString());
          };
      told.add(application);
      boolean isRefused = application.equals(refused);
      DecisionLine line =
          new DecisionLine(
              1,
              Optional.of(1L),
              0,
              "operator",
              List.of(),
              "set the objective of " + application,
              "",
              isRefused ? "refused" : DecisionLine.DONE,
              isRefused ? "a rate of 10/s would fit" : found);
      return new Decided(new NodeId(1), List.of(line));
    }
  }

  private static ClusterAccess access() {
    return new ClusterAccess(Optional.of(Path.of("data")), Optional.empty(), 5);
  }

  private void set(boolean isJson, Objective... objectives)
      throws IOException, InterruptedException {
    SetCommand command = new SetCommand();
    new CommandLine(command).setOut(new PrintWriter(out, true));
    command.run(access(), steward, FILE, List.of(objectives), isJson);
  }

  private String refusal(boolean isJson, Objective... objectives) {
    return String.valueOf(
        assertThrows(BadInputException.class, () -> set(isJson, objectives)).getMessage());
  }

  @Test
  void aFileIsHeldAgainstWhatStandsBeforeTheFirstIsTold() {
    steward.standing.add(
        new ObjectiveLine(
            Objective.bestEffort("old").tables("inbox"), 0, Optional.empty(), List.of()));
    assertEquals(
        "slo.toml: mail: the table inbox is of the application \"old\" already: a table has one"
            + " objective; the cluster was told nothing",
        refusal(false, SHOP, MAIL, REPORTS));
    assertEquals(List.of(), steward.told);
    assertEquals("", out.toString());
  }

  @Test
  void allThatDoesNotFitIsSaidAtOnce() {
    String why =
        refusal(false, SHOP, MAIL.tables("users"), Objective.bestEffort("x").tables("users"));
    assertTrue(why.contains("mail: the table users") && why.contains("x: the table users"), why);
    assertEquals(List.of(), steward.told);
  }

  @Test
  void moreThanThereMayBeAreSeenBefore() {
    Objective[] many = new Objective[70];
    for (int i = 0; i < many.length; i++) {
      many[i] = Objective.bestEffort("a" + i);
    }
    assertTrue(refusal(true, many).contains("there are 64 objectives already"));
    assertEquals(List.of(), steward.told);
  }

  @Test
  void whatWasStatedBeforeTheRefusedOneIsSaid() {
    steward.refused = "mail";
    assertEquals(
        "set the objective of mail, refused: a rate of 10/s would fit; stated before it, and"
            + " standing: shop; not told: reports",
        refusal(false, SHOP, MAIL, REPORTS));
    assertEquals(List.of("shop", "mail"), steward.told);
    assertTrue(out.toString().contains("shop: no response time, best effort"), out::toString);
    steward.refused = "shop";
    assertTrue(refusal(false, SHOP, MAIL).endsWith("; none was stated before it; not told: mail"));
  }

  @Test
  void whatWasStatedBeforeTheRefusedOneIsSaidAsJsonToo() {
    steward.refused = "mail";
    String why = refusal(true, SHOP, MAIL, REPORTS);
    assertTrue(why.endsWith("; stated before it, and standing: shop; not told: reports"), why);
    assertEquals(
        "{\"objectives\":[{\"application\":\"shop\",\"tables\":[\"users\"],\"class\":\"best-effort\","
            + "\"weight\":1,\"millis\":{}}],\"failed\":{\"application\":\"mail\",\"why\":"
            + "\"set the objective of mail, refused: a rate of 10/s would fit\"},"
            + "\"notTold\":[\"reports\"]}",
        out.toString().strip());
  }

  @Test
  void byWhatItWasFoundThatTheyCanBeKeptIsSaid() throws IOException, InterruptedException {
    steward.found = "it stands: it is not held against a table: no table is kept";
    set(false, REPORTS);
    assertTrue(
        out.toString().endsWith("reports: it is not held against a table: no table is kept\n"),
        out::toString);
  }

  @Test
  void allAreStatedInTheirOrder() throws IOException, InterruptedException {
    set(true, SHOP, MAIL, REPORTS);
    assertEquals(List.of("shop", "mail", "reports"), steward.told);
    assertEquals("", out.toString());
  }

  @Test
  void whatIsRemovedIsSaidForProgramsToo() throws IOException, InterruptedException {
    RemoveCommand command = new RemoveCommand();
    new CommandLine(command).setOut(new PrintWriter(out, true));
    command.run(access(), steward, "shop", true);
    assertEquals("{\"application\":\"shop\",\"what\":\"removed\"}", out.toString().strip());
    command.run(access(), steward, "shop", false);
    assertTrue(out.toString().strip().endsWith("shop has no objective any more"), out::toString);
  }
}
