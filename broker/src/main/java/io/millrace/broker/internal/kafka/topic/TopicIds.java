package io.millrace.broker.internal.kafka.topic;

import java.util.UUID;
import org.apache.kafka.common.Uuid;

/** The identity of a log, in Kafka's form and ours. */
public final class TopicIds {

    private TopicIds() {}

    /** Returns Kafka's form. */
    public static Uuid toKafka(UUID logId) {
        return new Uuid(logId.getMostSignificantBits(), logId.getLeastSignificantBits());
    }

    /** Returns ours. */
    public static UUID fromKafka(Uuid topicId) {
        return new UUID(topicId.getMostSignificantBits(), topicId.getLeastSignificantBits());
    }
}
