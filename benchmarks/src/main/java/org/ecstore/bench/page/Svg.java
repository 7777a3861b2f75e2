package org.ecstore.bench.page;

import java.util.Locale;

/** A drawing for a page, whose style sheet has the colours and fonts. For one thread. */
final class Svg {
  private final StringBuilder drawn = new StringBuilder();

  /**
   * Nothing yet.
   *
   * @param label for those who cannot see it
   */
  Svg(int width, int height, String label) {
    drawn.append(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">"
            .formatted(width, height, escaped(label)));
  }

  /** Text as it can stand in a page. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /**
   * A rectangle.
   *
   * @param hint shown when it is pointed at
   */
  Svg bar(double x, double y, double width, double height, String style, String hint) {
    drawn.append(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"2\"><title>%s</title></rect>"
            .formatted(
                style,
                number(x),
                number(y),
                number(Math.max(1, width)),
                number(height),
                escaped(hint)));
    return this;
  }

  /** A straight line. */
  Svg line(double x1, double y1, double x2, double y2, String style) {
    drawn.append(
        "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>"
            .formatted(style, number(x1), number(y1), number(x2), number(y2)));
    return this;
  }

  /** A line through points. */
  Svg path(double[] xs, double[] ys, String style) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < xs.length; i++) {
      points.append(i == 0 ? "M" : " L").append(number(xs[i])).append(' ').append(number(ys[i]));
    }
    drawn.append("<path class=\"%s\" d=\"%s\"/>".formatted(style, points));
    return this;
  }

  /** A dot. */
  Svg dot(double x, double y, double radius, String style, String hint) {
    drawn.append(
        "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"><title>%s</title></circle>"
            .formatted(style, number(x), number(y), number(radius), escaped(hint)));
    return this;
  }

  /** Text that begins, ends or has its middle at a point, as its style says. */
  Svg text(double x, double y, String style, String text) {
    drawn.append(
        "<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>"
            .formatted(style, number(x), number(y), escaped(text)));
    return this;
  }

  /** All of it. */
  String end() {
    return drawn + "</svg>";
  }
}
