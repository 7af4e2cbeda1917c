package io.millrace.wire.message;

import java.util.Objects;
import java.util.UUID;

/**
 * What identifies a message for its whole life: over retries, redeliveries, moves to other destinations (Jakarta Messaging 3.4.3).
 */
public sealed interface MessageId {
    /** The prefix that JMS demands of the ids that providers make. */
    String PREFIX = "ID:";

    /** Returns the id as JMS shows it. {@link #parse} reads it back. */
    String text();

    /**
     * Made by a client before it first tries to send.
     *
     * @param client the client process
     * @param counter 0 or more, never used twice by that process
     */
    record Client(UUID client, long counter) implements MessageId {
        public Client {
            Objects.requireNonNull(client, "client");
            if (counter < 0) {
                throw new IllegalArgumentException("the counter of a message id must not be negative, is " + counter);
            }
        }

        @Override
        public String text() {
            return PREFIX + client + ':' + counter;
        }
    }

    /**
     * Of a record that no JMS client wrote: where it stands in its log.
     *
     * @param log identity of the log; the same name created again is another log
     * @param partition 0 or more
     * @param offset 0 or more
     */
    record Position(UUID log, int partition, long offset) implements MessageId {
        public Position {
            Objects.requireNonNull(log, "log");
            if (partition < 0 || offset < 0) {
                throw new IllegalArgumentException(
                        "partition " + partition + " and offset " + offset + " of a message id must not be negative");
            }
        }

        @Override
        public String text() {
            return PREFIX + log + '/' + partition + '/' + offset;
        }
    }

    /**
     * Made elsewhere, such as by another provider whose message was moved here.
     *
     * @param text the whole id
     */
    record Text(String text) implements MessageId {
        public Text {
            Objects.requireNonNull(text, "text");
        }
    }

    /** Returns the id whose {@link #text} is {@code text}, in the most compact of the three forms that shows exactly so. */
    static MessageId parse(String text) {
        MessageId parsed = MessageIdParser.parse(text);
        return parsed.text().equals(text) ? parsed : new Text(text);
    }
}
