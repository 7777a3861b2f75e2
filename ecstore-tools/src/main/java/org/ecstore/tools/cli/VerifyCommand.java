package org.ecstore.tools.cli;

import java.util.concurrent.Callable;
import org.ecstore.tools.terminal.BadInputException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ecstore verify}, for the list of commands. {@code bin/ecstore} does it by itself, since
 * Maven builds anew what runs here.
 */
@Command(
    name = "verify",
    description = {
      "Builds ecStore and runs its tests, as \"mvn verify\" does, the slow ones with them.",
      "",
      "Done by the script bin/ecstore of a checkout."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore verify",
      "  ecstore verify --nightly      the long versions too",
      "  ecstore verify --structure    writes docs/structure.md anew"
    })
final class VerifyCommand implements Callable<Integer> {
  @Option(
      names = "--nightly",
      description = "The long versions of the tests, then \"ecstore nightly\": some hours.")
  private boolean nightly;

  @Option(
      names = "--structure",
      description = "Only draw the modules and list the packages anew, in docs/.")
  private boolean structure;

  @Override
  public Integer call() {
    String option = nightly ? " --nightly" : structure ? " --structure" : "";
    throw new BadInputException(
        "bin/ecstore verify" + option + " does this, from a checkout with its sources");
  }
}
