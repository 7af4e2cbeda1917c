package io.millrace.jms.internal.session;

import jakarta.jms.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down what an application's listener threw, since nobody else sees it. */
final class ListenerFailures {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerFailures.class);

    private ListenerFailures() {}

    static void log(RuntimeException thrown, Message message, boolean comesAgain) {
        LOG.warn(
                "A MessageListener threw an exception for {}; the message {}",
                message,
                comesAgain ? "comes again" : "stays unacknowledged",
                thrown);
    }
}
