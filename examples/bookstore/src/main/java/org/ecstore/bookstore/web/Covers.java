package org.ecstore.bookstore.web;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Covers of books with their titles and authors. What is drawn follows from the cover's name: it is
 * the same for the same name, wherever it is drawn.
 */
final class Covers {
  private static final int WIDTH = 200;
  private static final int HEIGHT = 300;

  /** The picture is a band between title and author, from the spine to the edge. */
  private static final int SPINE = 12;

  private static final int BAND_TOP = 142;
  private static final int BAND_WIDTH = WIDTH - SPINE;
  private static final int BAND_HEIGHT = 108;

  private static final int TITLE_LEFT = 28;

  /** Ground, shapes and light of each palette. */
  private static final String[][] PALETTES = {
    {"#1d3557", "#457b9d", "#f1faee"},
    {"#5f0f40", "#9a031e", "#fb8b24"},
    {"#264653", "#2a9d8f", "#e9c46a"},
    {"#3d405b", "#81b29a", "#f2cc8f"},
    {"#22223b", "#9a8c98", "#f2e9e4"},
    {"#006d77", "#83c5be", "#edf6f9"},
    {"#432818", "#bb9457", "#ffe6a7"},
    {"#2d6a4f", "#74c69d", "#d8f3dc"},
    {"#6a040f", "#e85d04", "#faa307"},
    {"#10002b", "#7b2cbf", "#e0aaff"}
  };

  private Covers() {}

  /**
   * The drawing of a name, as SVG.
   *
   * @param title of the book
   * @param author both names
   */
  static String svg(String name, String title, String author) {
    RandomGenerator random = new SplittableRandom(seed(name));
    String[] palette = PALETTES[random.nextInt(PALETTES.length)];
    StringBuilder svg =
        new StringBuilder(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">"
                .formatted(WIDTH, HEIGHT));
    rectangle(svg, 0, 0, WIDTH, HEIGHT, palette[0], 1);
    svg.append(
        "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">"
            .formatted(SPINE, BAND_TOP, BAND_WIDTH, BAND_HEIGHT));
    switch (random.nextInt(4)) {
      case 0 -> circles(svg, palette, random);
      case 1 -> stripes(svg, palette, random);
      case 2 -> hills(svg, palette, random);
      default -> tiles(svg, palette, random);
    }
    svg.append("</svg>");
    rectangle(svg, 0, 0, SPINE, HEIGHT, "#000000", 0.25);
    CoverText.title(svg, title, TITLE_LEFT, palette[2]);
    CoverText.author(svg, author, TITLE_LEFT, palette[2]);
    return svg.append("</svg>").toString();
  }

  /** Small and large pictures of a book are of one design. */
  private static long seed(String name) {
    String design = name.substring(name.indexOf('-') + 1);
    long seed = 7;
    for (int i = 0; i < design.length(); i++) {
      seed = seed * 1_000_003 + design.charAt(i);
    }
    return seed;
  }

  private static void rectangle(
      StringBuilder svg, int x, int y, int width, int height, String fill, double opacity) {
    svg.append(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" opacity=\"%s\"/>"
            .formatted(x, y, width, height, fill, opacity));
  }

  private static void circle(
      StringBuilder svg, int x, int y, int radius, String fill, double opacity) {
    svg.append(
        "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\" opacity=\"%s\"/>"
            .formatted(x, y, radius, fill, opacity));
  }

  private static void circles(StringBuilder svg, String[] palette, RandomGenerator random) {
    int x = 40 + random.nextInt(BAND_WIDTH - 80);
    int y = 40 + random.nextInt(BAND_HEIGHT - 40);
    for (int ring = 6; ring > 0; ring--) {
      circle(svg, x, y, ring * 15, ring % 2 == 0 ? palette[1] : palette[2], 0.85);
    }
  }

  private static void stripes(StringBuilder svg, String[] palette, RandomGenerator random) {
    int width = 10 + random.nextInt(14);
    for (int x = width / 2; x < BAND_WIDTH - width; x += width * 3 / 2) {
      int height = 24 + random.nextInt(BAND_HEIGHT - 24);
      String fill = palette[1 + random.nextInt(2)];
      rectangle(svg, x, BAND_HEIGHT - height, width, height, fill, 0.9);
    }
  }

  private static void hills(StringBuilder svg, String[] palette, RandomGenerator random) {
    circle(svg, 40 + random.nextInt(110), 34, 22, palette[2], 0.95);
    for (int row = 0; row < 3; row++) {
      int left = 44 + 22 * row + random.nextInt(20);
      int right = 44 + 22 * row + random.nextInt(20);
      svg.append(
          "<path d=\"M0 %d Q 50 %d 94 %d T 188 %d V108 H0Z\" fill=\"%s\" opacity=\"%s\"/>"
              .formatted(left, left - 34, left + 6, right, palette[1], 0.35 + 0.25 * row));
    }
  }

  private static void tiles(StringBuilder svg, String[] palette, RandomGenerator random) {
    for (int y = 2; y < BAND_HEIGHT; y += 36) {
      for (int x = 6; x < BAND_WIDTH - 32; x += 36) {
        String fill = palette[1 + random.nextInt(2)];
        if (random.nextBoolean()) {
          rectangle(svg, x, y, 32, 32, fill, 0.9);
        } else {
          circle(svg, x + 16, y + 16, 16, fill, 0.9);
        }
      }
    }
  }
}
