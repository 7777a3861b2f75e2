package org.ecstore.bookstore.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class CoversTest {
  @Test
  void everyCoverIsADrawing() throws Exception {
    for (int book = 1; book <= 300; book++) {
      String svg = Covers.svg("large-" + book);
      assertTrue(svg.length() < 10_000, svg);
      assertEquals(
          "svg",
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(svg)))
              .getDocumentElement()
              .getTagName());
    }
  }

  @Test
  void coversAreOfTheirNames() {
    assertEquals(Covers.svg("large-12"), Covers.svg("small-12"));
    assertEquals(Covers.svg("large-12-7"), Covers.svg("large-12-7"));
    assertNotEquals(Covers.svg("large-12-7"), Covers.svg("large-12-8"));
    assertNotEquals(Covers.svg("large-12"), Covers.svg("large-13"));
  }
}
