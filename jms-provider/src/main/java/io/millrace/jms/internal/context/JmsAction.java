package io.millrace.jms.internal.context;

import jakarta.jms.JMSException;

/** A call of the classic API that returns nothing. */
@FunctionalInterface
interface JmsAction {
    void run() throws JMSException;
}
