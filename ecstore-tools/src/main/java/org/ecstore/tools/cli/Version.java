package org.ecstore.tools.cli;

import org.ecstore.server.Release;
import picocli.CommandLine.IVersionProvider;

/** The version of this build. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"ecstore " + Release.version() + " (Java " + Runtime.version() + ")"};
  }
}
