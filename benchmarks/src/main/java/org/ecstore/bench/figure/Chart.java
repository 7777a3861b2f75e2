package org.ecstore.bench.figure;

import java.util.List;

/**
 * Curves over the same axes.
 *
 * @param name of its file, without the figure's number; empty if the figure has one chart only
 * @param logarithmic whether the upright axis is
 */
public record Chart(
    String name,
    String title,
    String xLabel,
    String yLabel,
    boolean logarithmic,
    List<Series> series) {}
