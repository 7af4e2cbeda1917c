package io.millrace.broker.internal.metrics;

import java.util.Map;

/** What the coordinator of groups measures of itself, by Kafka's names. From any thread. */
@FunctionalInterface
public interface GroupMeasures {

    /**
     * Returns a measurement; 0 while there is none, since nobody has used a group.
     *
     * @param name such as offset-commit-count
     * @param tags such as a state
     */
    double measured(String name, Map<String, String> tags);
}
