package io.millrace.jms.internal.client;

import io.millrace.jms.internal.transport.LinkException;

/** Hears of the end of a {@link ClientConnection}, on the loop. */
@FunctionalInterface
public interface ConnectionListener {

    /** The connection is over though nobody closed it; called once. */
    void onFailed(LinkException why);
}
