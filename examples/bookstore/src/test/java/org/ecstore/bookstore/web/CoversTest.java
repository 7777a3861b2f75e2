package org.ecstore.bookstore.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class CoversTest {
  @Test
  void everyCoverIsADrawing() throws Exception {
    for (int book = 1; book <= 300; book++) {
      String svg = Covers.svg("large-" + book, "The Fox & the <Hen>", "A. Reader");
      assertTrue(svg.length() < 10_000, svg);
      assertEquals("svg", parsed(svg).getTagName());
    }
  }

  @Test
  void coversAreOfTheirNames() {
    assertEquals(drawn("large-12"), drawn("small-12"));
    assertEquals(drawn("large-12-7"), drawn("large-12-7"));
    assertNotEquals(drawn("large-12-7"), drawn("large-12-8"));
    assertNotEquals(drawn("large-12"), drawn("large-13"));
  }

  private static String drawn(String name) {
    return Covers.svg(name, "The Fox", "A. Reader");
  }

  @Test
  void coversSayTheirTitleAndAuthorWhateverTheseAre() throws Exception {
    assertEquals(List.of("The Fox", "A. Reader"), texts("The Fox", "A. Reader"));
    String title = "My Uncommon Puzzle & the <Wooden> Almanac";
    assertEquals(title + " A. Reader", String.join(" ", texts(title, "A. Reader")));
  }

  @Test
  void noTitleIsTooLongForItsCover() throws Exception {
    for (String title :
        new String[] {
          "x".repeat(60),
          "W".repeat(500),
          "word ".repeat(100),
          "\0 \ud83d\udcda \ud83d &<>\"'",
          "",
          " "
        }) {
      List<String> texts = texts(title, title);
      assertTrue(texts.size() <= 8, texts::toString);
      assertTrue(texts.stream().allMatch(line -> line.length() < 40), texts::toString);
    }
  }

  private static List<String> texts(String title, String author) throws Exception {
    NodeList texts = parsed(Covers.svg("large-1", title, author)).getElementsByTagName("text");
    return IntStream.range(0, texts.getLength())
        .mapToObj(index -> texts.item(index).getTextContent())
        .toList();
  }

  private static Element parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)))
        .getDocumentElement();
  }
}
