package org.ecstore.cluster.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EngineSectionTest {
  private static final List<String> ROCKS = List.of("kind = \"rocksdb\"");

  @Test
  void whereNothingWasSaidASectionIsAdded() {
    assertEquals(
        "listen.port = 7\n\n[engine]\nkind = \"rocksdb\"\n",
        EngineSection.replaced("listen.port = 7\n", ROCKS));
  }

  @Test
  void whatBelongsToTheFormerKindGoesAndAllElseStays() {
    assertEquals(
        """
        [engine]  # of this machine
        kind = "rocksdb"
        # not too much
        cache = "64 MiB"

        [bookie]
        kind = "mine"
        """,
        EngineSection.replaced(
            """
            [engine]  # of this machine
            kind = "mysql"
            url = "jdbc:mariadb://127.0.0.1:1/ecstore"
            # not too much
            cache = "64 MiB"
            user = "ecstore"
            password-file = "database.secret"

            [bookie]
            kind = "mine"
            """,
            ROCKS));
  }

  @Test
  void dottedKeysStayDotted() {
    assertEquals(
        "node.id = 1\nengine.kind = \"rocksdb\"\nengine.cache = \"1 GiB\"\n[listen]\nport = 7\n",
        EngineSection.replaced(
            "node.id = 1\nengine.kind = \"je\"\nengine.cache = \"1 GiB\"\n[listen]\nport = 7\n",
            ROCKS));
  }

  @Test
  void aKeyOfTheKindAloneIsReplaced() {
    assertEquals(
        "node.id = 1\n\n[engine]\nkind = \"rocksdb\"\n",
        EngineSection.replaced("engine.kind = \"je\"\nnode.id = 1\n", ROCKS));
  }

  /** It would be refused of a kind that has its cache on the server. */
  @Test
  void theCacheOfTheProcessGoesWhereTheOtherEngineHasAServer() {
    List<String> redis = List.of("kind = \"redis\"", "url = \"redis://127.0.0.1:1\"");
    assertEquals(
        "[engine]\nkind = \"redis\"\nurl = \"redis://127.0.0.1:1\"\nwindow = \"9MiB\"\n",
        EngineSection.replaced(
            "[engine]\nkind = \"je\"\ncache = \"64MiB\"\nwindow = \"9MiB\"\n", redis));
    assertEquals(
        "engine.kind = \"redis\"\nengine.url = \"redis://127.0.0.1:1\"\nengine.window = \"9MiB\"\n",
        EngineSection.replaced("engine.cache = \"64MiB\"\nengine.window = \"9MiB\"\n", redis));
  }

  @Test
  void theCacheThatGoesIsKnown() {
    List<String> redis = List.of("kind = \"redis\"", "url = \"redis://127.0.0.1:1\"");
    assertEquals(
        Optional.of("\"64MiB\"  # enough"),
        EngineSection.cacheTakenOut(
            "[a]\ncache = 1\n[engine]\nkind = \"je\"\n cache=\"64MiB\"  # enough\n", redis));
    assertEquals(
        Optional.of("\"1GiB\""), EngineSection.cacheTakenOut("engine.cache = \"1GiB\"\n", redis));
    assertEquals(Optional.empty(), EngineSection.cacheTakenOut("engine.cache = \"1GiB\"\n", ROCKS));
    assertEquals(Optional.empty(), EngineSection.cacheTakenOut("[engine]\nkind = \"je\"\n", redis));
  }
}
