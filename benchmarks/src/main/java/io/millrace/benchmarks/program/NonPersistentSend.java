package io.millrace.benchmarks.program;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;

/**
 * NON_PERSISTENT sends by one producer. They wait for nobody, so a synchronous PERSISTENT one behind them, which cannot overtake them,
 * shows when the broker has all, and ends the time.
 */
record NonPersistentSend(String name, String description) implements Workload {

    @Override
    public Measurement run(RunContext context) throws JMSException, InterruptedException {
        String queue = context.name("-0");
        int count = context.count();
        Meter.Reading reading;
        try (Connection connection = context.connect()) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            Messages.persistent(producer).send(Messages.create(session, 0)); // no measured send creates the queue
            Meter meter = context.meter();
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            for (int i = 0; i < count; i++) {
                producer.send(Messages.create(session, i));
            }
            Messages.persistent(producer).send(Messages.create(session, count));
            reading = meter.stop(count, RunContext.histogram());
        }
        long all = count + 2L;
        return reading.counted(all, Messages.drain(context, List.of(queue), new long[] {all}));
    }
}
