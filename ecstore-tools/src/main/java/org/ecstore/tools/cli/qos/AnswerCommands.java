package org.ecstore.tools.cli.qos;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.AdminRequest;
import org.ecstore.tools.cli.cluster.ChangeOptions;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.ecstore.tools.terminal.BadInputException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What {@code ecstore qos} does about an action that waits for an answer. */
final class AnswerCommands {
  private AnswerCommands() {}

  private static long number(String text) {
    if (text.strip().matches("[1-9][0-9]{0,17}")) {
      return Long.parseLong(text.strip());
    }
    throw new BadInputException(
        "\"%s\" is no number of an action: qos status shows which one waits, as 7".formatted(text));
  }

  private static void answer(
      ChangeOptions change, AdminRequest.AnswerAction answer, PrintWriter out)
      throws IOException, InterruptedException {
    ClusterAccess access = change.access();
    access.talk(cluster -> access.request(cluster, answer, out::println));
  }

  /** {@code ecstore qos approve}. */
  @Command(
      name = "approve",
      description = {
        "Approves an action that the controller has proposed: it is begun at the next check.",
        "",
        "One action waits at a time, and only in the mode ask; qos status shows it, why it was"
            + " proposed and what it is predicted to bring. It is withdrawn where what it was for"
            + " is kept again, or the mode becomes another."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore qos approve 7 --dir data",
        "  ecstore qos status --dir data          shows how it goes"
      })
  static final class Approve implements Callable<Integer> {
    @Parameters(paramLabel = "NUMBER", description = "The action's number.")
    private String number = "";

    @Mixin private ChangeOptions change = new ChangeOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
      PrintWriter out = spec.commandLine().getOut();
      long action = number(number);
      answer(change, new AdminRequest.AnswerAction(action, true), out);
      out.println("action " + action + " is approved: qos status shows what comes of it");
      out.flush();
      return ExitStatus.OK;
    }
  }

  /** {@code ecstore qos reject}. */
  @Command(
      name = "reject",
      description = {
        "Rejects an action that the controller has proposed: it is not done.",
        "",
        "While there is the same need the controller may propose the same again: qos mode observe"
            + " keeps it from asking."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore qos reject 7 --dir data",
        "  ecstore qos mode observe --dir data    lets it only say what it would do"
      })
  static final class Reject implements Callable<Integer> {
    @Parameters(paramLabel = "NUMBER", description = "The action's number.")
    private String number = "";

    @Mixin private ChangeOptions change = new ChangeOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
      PrintWriter out = spec.commandLine().getOut();
      long action = number(number);
      answer(change, new AdminRequest.AnswerAction(action, false), out);
      out.println("action " + action + " is rejected: it is not done");
      out.flush();
      return ExitStatus.OK;
    }
  }
}
