package io.millrace.testkit.history;

import java.util.List;
import java.util.Locale;

/**
 * What the checker found.
 *
 * @param counts of what the clients did
 */
public record Verdict(List<Anomaly> anomalies, Counts counts) {

    /**
     * How often what happened.
     *
     * @param confirmedSends sends that the broker confirmed
     * @param refusedSends sends that the broker refused
     * @param unknownSends sends of unknown outcome
     * @param unknownButThere of these, how many were received somewhere
     * @param unpromisedSends NON_PERSISTENT sends
     * @param unpromisedLost of these, how many were received nowhere
     * @param received deliveries in all
     * @param marked of these, how many were marked as redelivered
     * @param redeliveries deliveries after the first of the same message to the same subscription
     * @param acknowledged messages whose acknowledgement was confirmed
     * @param unacknowledged messages whose acknowledgement failed at least once
     */
    public record Counts(
            long confirmedSends,
            long refusedSends,
            long unknownSends,
            long unknownButThere,
            long unpromisedSends,
            long unpromisedLost,
            long received,
            long marked,
            long redeliveries,
            long acknowledged,
            long unacknowledged) {

        /** Sends of all outcomes. */
        public long sends() {
            return confirmedSends + refusedSends + unknownSends + unpromisedSends;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "sent %d: %d confirmed, %d refused, %d unknown (%d of them stored), %d NON_PERSISTENT (%d of them lost);%n"
                            + "delivered %d: %d marked as redelivered, %d duplicates of an earlier delivery;%n"
                            + "acknowledged %d, acknowledgements failed %d",
                    sends(),
                    confirmedSends,
                    refusedSends,
                    unknownSends,
                    unknownButThere,
                    unpromisedSends,
                    unpromisedLost,
                    received,
                    marked,
                    redeliveries,
                    acknowledged,
                    unacknowledged);
        }
    }

    public Verdict {
        anomalies = List.copyOf(anomalies);
    }

    public boolean valid() {
        return anomalies.isEmpty();
    }

    public long confirmedSends() {
        return counts.confirmedSends();
    }

    public long received() {
        return counts.received();
    }

    /** The counts, then in one line what they are worth, then the first anomalies, one a line. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(counts.toString())
                .append(System.lineSeparator())
                .append(valid() ? "valid: every promise was kept" : "INVALID: " + anomalies.size() + " anomalies");
        anomalies.stream().limit(20).forEach(anomaly -> text.append("\n  ").append(anomaly));
        return text.toString();
    }
}
