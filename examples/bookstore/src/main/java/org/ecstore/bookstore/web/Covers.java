package org.ecstore.bookstore.web;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Covers of books, drawn by their names: the same for the same name, wherever it is drawn. */
final class Covers {
  private static final int WIDTH = 200;
  private static final int HEIGHT = 300;

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

  /** The drawing of a name, as SVG. */
  static String svg(String name) {
    RandomGenerator random = new SplittableRandom(seed(name));
    String[] palette = PALETTES[random.nextInt(PALETTES.length)];
    StringBuilder svg =
        new StringBuilder(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\">"
                .formatted(WIDTH, HEIGHT));
    rectangle(svg, 0, 0, WIDTH, HEIGHT, palette[0], 1);
    switch (random.nextInt(4)) {
      case 0 -> circles(svg, palette, random);
      case 1 -> stripes(svg, palette, random);
      case 2 -> hills(svg, palette, random);
      default -> tiles(svg, palette, random);
    }
    rectangle(svg, 0, 0, 12, HEIGHT, "#000000", 0.25);
    rectangle(svg, 30, 36, 140, 6, palette[2], 1);
    rectangle(svg, 30, 52, 60 + random.nextInt(80), 4, palette[2], 0.8);
    rectangle(svg, 30, 262, 40 + random.nextInt(60), 4, palette[2], 0.8);
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
    int x = 60 + random.nextInt(90);
    int y = 120 + random.nextInt(70);
    for (int ring = 4; ring > 0; ring--) {
      circle(svg, x, y, ring * 18, ring % 2 == 0 ? palette[1] : palette[2], 0.85);
    }
  }

  private static void stripes(StringBuilder svg, String[] palette, RandomGenerator random) {
    int width = 14 + random.nextInt(16);
    for (int x = 20; x < WIDTH - width; x += 2 * width) {
      int height = 60 + random.nextInt(120);
      rectangle(svg, x, 240 - height, width, height, palette[1 + random.nextInt(2)], 0.9);
    }
  }

  private static void hills(StringBuilder svg, String[] palette, RandomGenerator random) {
    circle(svg, 50 + random.nextInt(110), 110, 26, palette[2], 0.95);
    for (int row = 0; row < 3; row++) {
      int left = 130 + 40 * row + random.nextInt(30);
      int right = 130 + 40 * row + random.nextInt(30);
      svg.append(
          "<path d=\"M0 %d Q 60 %d 110 %d T 200 %d V300 H0Z\" fill=\"%s\" opacity=\"%s\"/>"
              .formatted(left, left - 40, left + 10, right, palette[1], 0.35 + 0.25 * row));
    }
  }

  private static void tiles(StringBuilder svg, String[] palette, RandomGenerator random) {
    for (int y = 80; y < 240; y += 40) {
      for (int x = 30; x < 170; x += 40) {
        String fill = palette[1 + random.nextInt(2)];
        if (random.nextBoolean()) {
          rectangle(svg, x, y, 34, 34, fill, 0.9);
        } else {
          circle(svg, x + 17, y + 17, 17, fill, 0.9);
        }
      }
    }
  }
}
