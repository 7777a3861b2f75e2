package org.ecstore.bench.figure;

import java.util.List;
import java.util.Map;

/**
 * What came of a figure.
 *
 * @param how what of it is real and what is simulated
 * @param settings of the run, by their names
 */
public record FigureReport(
    int number,
    String title,
    String how,
    Map<String, String> settings,
    List<Chart> charts,
    List<Claim> claims) {}
