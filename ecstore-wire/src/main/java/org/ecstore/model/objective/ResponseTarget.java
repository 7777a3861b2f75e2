package org.ecstore.model.objective;

import java.time.Duration;

/** A bound of response times: a statistic of them is at or below a time. */
public record ResponseTarget(Statistic statistic, Duration atMost) {}
