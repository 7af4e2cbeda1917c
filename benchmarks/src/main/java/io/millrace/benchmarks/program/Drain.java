package io.millrace.benchmarks.program;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;

/** One consumer takes what is in a queue: the time from the start of its connection to its last message. */
record Drain(String name, String description, Mode mode) implements Workload {
    private static final int ACKNOWLEDGE_EVERY = 100;

    /** How it takes them. */
    enum Mode {
        /** A listener in AUTO_ACKNOWLEDGE. */
        AUTO_LISTENER,
        /** receive() in CLIENT_ACKNOWLEDGE, with an acknowledge() after every 100 messages, which waits as the provider has it do. */
        CLIENT_PER_100
    }

    @Override
    public Measurement run(RunContext context) throws JMSException, InterruptedException {
        String queue = context.name("-0");
        int count = context.count();
        Messages.fill(context, queue, count);
        Arrivals arrivals = context.arrivals();
        arrivals.expect(count);
        Meter.Reading reading;
        try (Connection connection = context.connect()) {
            Session session = connection.createSession(
                    false, mode == Mode.AUTO_LISTENER ? Session.AUTO_ACKNOWLEDGE : Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            Meter meter = context.meter();
            if (mode == Mode.AUTO_LISTENER) {
                consumer.setMessageListener(arrivals.listener());
                connection.start();
            } else {
                connection.start();
                receive(consumer, count, arrivals);
            }
            reading = meter.stopAt(arrivals.await(), count, RunContext.histogram());
        }
        return reading.counted(count, arrivals.counted() + Messages.leftIn(context, queue));
    }

    private static void receive(MessageConsumer consumer, int count, Arrivals arrivals) throws JMSException {
        for (int i = 1; i <= count; i++) {
            Message message = consumer.receive(RunContext.PATIENCE.toMillis());
            if (message == null) {
                throw new BenchmarkException("only %d of %d messages came".formatted(i - 1, count));
            }
            if (i % ACKNOWLEDGE_EVERY == 0 || i == count) {
                message.acknowledge();
            }
            arrivals.add(message);
        }
    }
}
