package io.millrace.testkit.history;

import java.util.List;
import java.util.Locale;

/**
 * What the checker found.
 *
 * @param confirmedSends sends that the broker confirmed
 * @param unknownSends sends of unknown outcome
 * @param unknownButThere of these, how many were received somewhere
 * @param received deliveries in all
 * @param redeliveries deliveries after the first of the same message to the same subscription
 */
public record Verdict(
        List<Anomaly> anomalies,
        long confirmedSends,
        long unknownSends,
        long unknownButThere,
        long received,
        long redeliveries) {

    public Verdict {
        anomalies = List.copyOf(anomalies);
    }

    public boolean valid() {
        return anomalies.isEmpty();
    }

    /** One line with the counts, then the first anomalies, one a line. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s: %d sends confirmed, %d unknown (%d of them stored), %d deliveries, %d of them redeliveries, %d anomalies",
                valid() ? "valid" : "INVALID",
                confirmedSends,
                unknownSends,
                unknownButThere,
                received,
                redeliveries,
                anomalies.size()));
        anomalies.stream().limit(20).forEach(anomaly -> text.append("\n  ").append(anomaly));
        return text.toString();
    }
}
