package io.millrace.jms.internal.session;

import io.millrace.jms.internal.message.MessageFactory;
import io.millrace.jms.internal.options.ServiceUrl;
import io.millrace.jms.internal.transport.BrokerLink;
import java.util.concurrent.ExecutorService;

/**
 * What a connection is made of.
 *
 * @param link what its link works with
 * @param options of its factory; not changed any more
 * @param messages makes its messages
 * @param callbacks threads for listeners; ended with the connection
 * @param release gives back what the connection shares with others, when it is closed
 */
public record ConnectionParts(
        BrokerLink.Parts link,
        ServiceUrl options,
        MessageFactory messages,
        ExecutorService callbacks,
        Runnable release) {}
