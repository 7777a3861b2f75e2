package org.ecstore.tools.cli.qos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What {@code qos mode} tells, beside another command that comes in between. */
class ModeCommandTest {
  private final StringWriter out = new StringWriter();
  private final Steward steward = new Steward();

  /** One that another command freezes just before it does what it is told. */
  private static final class Steward implements ClusterAccess.Link {
    private ControlSettings settings = new ControlSettings(ControlMode.ACT, 4, 300);

    @Override
    public <T extends ClientReply> T ask(ClientRequest request, Class<T> kind) {
      return kind.cast(answer(request));
    }

    private ClientReply answer(ClientRequest request) {
      return switch (request) {
        case ClientRequest.AskControl _ ->
            new Control(
                new NodeId(1), settings, "a script", List.of(), List.of(), List.of(), List.of());
        case ClientRequest.Administer told -> {
          settings =
              new ControlSettings(ControlMode.FREEZE, settings.nodesMax(), settings.costMaxMilli());
          settings = after(told.adminRequest());
          yield new Decided(
              new NodeId(1),
              List.of(
                  new DecisionLine(
                      1,
                      Optional.of(1L),
                      0,
                      "operator",
                      List.of(),
                      "set the controller",
                      "",
                      DecisionLine.DONE,
                      "it stands")));
        }
        default -> throw new IllegalStateException(request.toString());
      };
    }

    private ControlSettings after(AdminRequest request) {
      return switch (request) {
        case AdminRequest.SetControl(var all) -> all;
        case AdminRequest.ChangeControl(var change) -> change.of(settings);
        default -> throw new IllegalStateException(request.toString());
      };
    }
  }

  private void mode(String mode, String nodesMax, String costMax)
      throws IOException, InterruptedException {
    ModeCommand command = new ModeCommand();
    new CommandLine(command).setOut(new PrintWriter(out, true));
    ClusterAccess access = new ClusterAccess(Optional.of(Path.of("data")), Optional.empty(), 5);
    command.run(
        access,
        steward,
        ModeChange.read(
            mode.isEmpty() ? null : mode,
            nodesMax.isEmpty() ? null : nodesMax,
            costMax.isEmpty() ? null : costMax));
  }

  @Test
  void whatWasNotGivenIsNotSetBack() throws IOException, InterruptedException {
    mode("", "5", "");
    assertEquals(new ControlSettings(ControlMode.FREEZE, 5, 300), steward.settings);
    assertTrue(out.toString().contains("freeze"), out::toString);
    mode("", "", "0.7");
    assertEquals(new ControlSettings(ControlMode.FREEZE, 5, 700), steward.settings);
  }

  @Test
  void whatWasGivenIsSetLast() throws IOException, InterruptedException {
    mode("ask", "", "");
    assertEquals(new ControlSettings(ControlMode.ASK, 4, 300), steward.settings);
  }

  @Test
  void withoutAnythingNothingIsTold() throws IOException, InterruptedException {
    mode("", "", "");
    assertEquals(new ControlSettings(ControlMode.ACT, 4, 300), steward.settings);
    assertTrue(out.toString().contains("act"), out::toString);
  }
}
