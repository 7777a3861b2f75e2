package org.ecstore.model.objective;

import java.time.Duration;

/** How fast answers are to be: a statistic of response times is at or below a time. */
public record ResponseTarget(Statistic statistic, Duration atMost) {}
