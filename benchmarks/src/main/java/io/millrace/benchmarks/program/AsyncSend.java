package io.millrace.benchmarks.program;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;

/** PERSISTENT sends with a CompletionListener by one producer; at most 2,000 are unconfirmed, and the last confirmation ends the time. */
record AsyncSend(String name, String description) implements Workload {

    @Override
    public Measurement run(RunContext context) throws JMSException, InterruptedException {
        String queue = context.name("-0");
        long sent = 0;
        Meter.Reading reading;
        try (Connection connection = context.connect()) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = Messages.persistent(session.createProducer(session.createQueue(queue)));
            producer.send(Messages.create(session, sent)); // no measured send creates the queue
            SendWindow window = new SendWindow();
            Meter meter = context.meter();
            long endNs = meter.startNs() + context.durationNs();
            while (context.nanoTime() - endNs < 0) {
                sent++;
                window.send(producer, Messages.create(session, sent));
            }
            window.drain();
            reading = meter.stop(sent, RunContext.histogram());
        }
        return reading.counted(sent + 1, Messages.drain(context, List.of(queue), new long[] {sent + 1}));
    }
}
