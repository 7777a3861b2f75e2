package org.ecstore.cluster.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.cluster.config.ConfigText;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.flags.JvmFlags;
import org.ecstore.cluster.flags.NodeFlags;
import org.ecstore.cluster.layout.EngineMark;
import org.ecstore.cluster.layout.EngineSection;
import org.ecstore.engines.EngineSettings;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.server.file.TemporaryDirectory;

/**
 * What there is in a cluster's directory of the engines that its nodes are on, and of a change from
 * one kind to another. What is under way is noted in {@code engine.change} of the node's directory:
 * see {@link EngineMark}. Who calls {@link #change}, {@link #keep} or {@link #settle} holds the
 * lock of the directory.
 */
final class EngineFiles {
  private static final String CHANGE = "engine.change";

  /** Of a server that is not made. */
  private static final int ANY_PORT = 1;

  private final ClusterFiles files;

  EngineFiles(ClusterFiles files) {
    this.files = files;
  }

  /**
   * Gives a node that is down an engine of a kind, with nothing in it: what the former one had
   * goes, with the server that it was on if that belongs to the cluster. Before anything goes it is
   * noted what is under way, so that what was interrupted can be done again, or another change in
   * its place.
   *
   * @param progress is told what of the configuration goes with the former engine
   * @throws ProcessClusterException if the node could not read its configuration then; nothing has
   *     changed
   */
  void change(int node, String kind, Consumer<String> progress)
      throws IOException, InterruptedException {
    ServerConfig before = files.config(node);
    int port = files.freePorts().next();
    String had = Files.readString(files.configFile(node));
    List<String> lines = NodeDatabases.lines(kind, port);
    String text = EngineSection.replaced(had, lines);
    // A configuration is read only where its password is there: it comes first, and goes last.
    files.databases().makePassword(node, kind);
    ServerConfig then = mustBeReadWith(node, kind, text);
    EngineSection.cacheTakenOut(had, lines)
        .ifPresent(
            cache ->
                progress.accept(
                    ("node %d: engine.cache = %s goes out of its ecstore.toml, for %s has its cache"
                            + " on its server; after the way back write it there again")
                        .formatted(node, cache, kind)));
    EngineMark mark = new EngineMark(before.engineKind(), kind, EngineMark.Stage.GOING);
    note(node, mark);
    files.databases().remove(node);
    TemporaryDirectory.delete(ServerConfig.engineOf(before.directory()));
    files.databases().made(node, kind, port, files.databaseMemory());
    files.writeConfig(node, text);
    note(node, mark.at(EngineMark.Stage.FILLING));
    if (then.engineAccess().isEmpty()) {
      files.databases().forgetPassword(node);
    }
  }

  /**
   * Finds out whether the configuration of a node can be given an engine of a kind; changes
   * nothing.
   *
   * @throws ProcessClusterException if it cannot; says why, and what to do
   */
  void mustTake(int node, String kind) throws IOException {
    Path password = Files.createTempFile(files.home(node), "database.", ClusterFiles.TRIED);
    try {
      Files.writeString(password, ClusterFiles.TRIED);
      List<String> lines =
          NodeDatabases.lines(kind, ANY_PORT, String.valueOf(password.getFileName()));
      String text = EngineSection.replaced(Files.readString(files.configFile(node)), lines);
      mustFitHeap(node, mustBeReadWith(node, kind, text));
    } finally {
      Files.deleteIfExists(password);
    }
  }

  /** A node with a cache that is larger than its heap would not start. */
  private void mustFitHeap(int node, ServerConfig then) throws IOException {
    List<String> flags = new ArrayList<>(files.flags(node));
    flags.addAll(NodeFlags.given(System.getenv()));
    long heap = JvmFlags.heapBytes(flags).orElse(Long.MAX_VALUE);
    if (then.engineKind().equals(EngineSettings.DEFAULT_KIND) && then.engineCacheBytes() > heap) {
      throw new ProcessClusterException(
          ("node %d cannot be given another engine: its engine.cache is %s, and its heap %d MiB: the"
                  + " cache of %s is within the heap. Give less, or take engine.cache out")
              .formatted(
                  node, ConfigText.size(then.engineCacheBytes()), heap >> 20, then.engineKind()));
    }
  }

  private ServerConfig mustBeReadWith(int node, String kind, String text) throws IOException {
    ServerConfig then;
    try {
      then = files.mustBeRead(node, text);
    } catch (ProcessClusterException e) {
      throw new ProcessClusterException(
          ("node %d cannot be given another engine, since its configuration is changed line by"
                  + " line, and could not be read then, its lines as they would be numbered: %s."
                  + " Have what it says of the engine stand below one header [engine], or begin"
                  + " each such line with engine. and the key")
              .formatted(node, String.valueOf(e.getMessage()).replace("\n", "; ")),
          e);
    }
    if (!then.engineKind().equals(kind)) {
      throw new ProcessClusterException(
          "the environment says that the engine of node %d is %s: take engine.kind out of it"
              .formatted(node, then.engineKind()));
    }
    return then;
  }

  private void note(int node, EngineMark mark) throws IOException {
    DurableFiles.replace(files.home(node), CHANGE, Bytes.utf8(mark.text()));
  }

  /** Notes that a node is to hand over what it has, to get an engine of another kind then. */
  void leave(int node, String kind) throws IOException {
    note(node, new EngineMark(files.config(node).engineKind(), kind, EngineMark.Stage.LEAVING));
  }

  /** Whether something is noted of a change of a node's engine, of use still or not. */
  boolean hasMark(int node) {
    return Files.exists(files.home(node).resolve(CHANGE));
  }

  private Optional<EngineMark> mark(int node) throws IOException {
    if (!hasMark(node)) {
      return Optional.empty();
    }
    Path file = files.home(node).resolve(CHANGE);
    String text = Files.readString(file);
    Optional<EngineMark> mark = EngineMark.of(text);
    if (mark.isEmpty()) {
      throw new ProcessClusterException(
          ("%s has \"%s\", which this build does not write: have engine.kind in %s name the kind"
                  + " that node %d shall have, delete its directory engine unless that is whole and"
                  + " of this kind, and delete the file")
              .formatted(file, text.strip(), files.configFile(node), node));
    }
    return mark;
  }

  /**
   * What is under way with a node's engine; absent if nothing is, or an operator has given the node
   * another kind since.
   */
  Optional<EngineMark> underWay(int node) throws IOException {
    Optional<EngineMark> mark = mark(node);
    String kind = files.config(node).engineKind();
    return mark.filter(each -> each.isOf(kind));
  }

  /** Whether what a node had in its engine goes, or has gone, and it has no other one yet. */
  boolean isGone(int node) throws IOException {
    Optional<EngineMark> mark = mark(node);
    return mark.isPresent() && mark.get().isGone(files.config(node).engineKind());
  }

  /**
   * Has a node keep the engine that it has: a change that has to delete nothing any more, or has
   * not begun to, is forgotten.
   *
   * @return what was noted of it; absent if nothing was, or it is forgotten already, or what the
   *     node had goes, or has gone
   */
  Optional<EngineMark> keep(int node) throws IOException {
    Optional<EngineMark> mark = underWay(node);
    if (mark.isEmpty() || mark.get().isGone(files.config(node).engineKind())) {
      return Optional.empty();
    }
    forget(node);
    return mark;
  }

  /** No change of a node's engine is under way any more. */
  void forget(int node) throws IOException {
    Files.deleteIfExists(files.home(node).resolve(CHANGE));
  }

  /**
   * Brings a change of a node's engine to where the node can be started: what was interrupted as it
   * deleted is finished, what had deleted nothing is given up, and so is one in whose place the
   * configuration names another kind by now.
   *
   * @param progress is told of what is deleted, and of a change that is forgotten
   */
  void settle(int node, Consumer<String> progress) throws IOException, InterruptedException {
    Optional<EngineMark> noted = mark(node);
    if (noted.isEmpty()) {
      return;
    }
    EngineMark mark = noted.get();
    String kind = files.config(node).engineKind();
    if (mark.isGone(kind)) {
      progress.accept(
          "node %d gets an empty %s engine: the change from %s was interrupted as it deleted that"
              .formatted(node, mark.latter(), mark.former()));
      change(node, mark.latter(), progress);
    } else if (!mark.isOf(kind)) {
      forget(node);
      progress.accept(
          "node %d is on %s by its configuration: a change from %s to %s is forgotten"
              .formatted(node, kind, mark.former(), mark.latter()));
    } else if (mark.stage() == EngineMark.Stage.LEAVING) {
      forget(node);
    } else {
      note(node, mark.at(EngineMark.Stage.FILLING));
    }
  }
}
