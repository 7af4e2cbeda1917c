package io.millrace.server.internal.perf;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Optional;

/**
 * What a run measured, without its warm-up.
 *
 * @param sent empty where nothing was sent
 * @param received empty where nothing was received
 * @param missing how many messages of this run the broker confirmed and no consumer of it received
 */
public record LoadResult(Optional<Side> sent, Optional<Side> received, long missing) {

    /**
     * One side of a run.
     *
     * @param latencyMs of sends: from when it was due to its confirmation; of receptions: from when it was due to be sent
     */
    @JsonPropertyOrder({"messages", "seconds", "perSecond", "bytesPerSecond", "latencyMs"})
    public record Side(long messages, double seconds, double perSecond, double bytesPerSecond, Latencies latencyMs) {

        /**
         * What a meter counted.
         *
         * @param sizeBytes of each message
         */
        public static Side of(Meter meter, long elapsedNs, int sizeBytes) {
            double seconds = Math.max(1, elapsedNs) / 1e9;
            long messages = meter.count();
            double perSecond = messages / seconds;
            return new Side(messages, seconds, perSecond, perSecond * sizeBytes, meter.latencies());
        }
    }
}
