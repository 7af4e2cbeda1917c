package io.millrace.systemtests.jms;

import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;

/** A client that has many temporary queues, and waits to be killed. */
final class TemporaryQueuesProgram {

    private TemporaryQueuesProgram() {}

    /** Arguments: URL of the broker, number of queues. Prints the name of the last queue, which it consumes, when all are there. */
    public static void main(String[] arguments) throws JMSException {
        Connection connection = new MillraceConnectionFactory(arguments[0]).createConnection();
        connection.start();
        Session session = connection.createSession();
        TemporaryQueue queue = session.createTemporaryQueue();
        for (int i = 1; i < Integer.parseInt(arguments[1]); i++) {
            queue = session.createTemporaryQueue();
        }
        try (MessageConsumer consumer = session.createConsumer(queue)) {
            System.out.println(queue.getQueueName());
            consumer.receive();
        }
    }
}
