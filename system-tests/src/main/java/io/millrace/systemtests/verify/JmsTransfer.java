package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.systemtests.verify.TransferProgram.Mover;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;

/** Moves messages by transacted sessions. */
record JmsTransfer(Mover mover) {

    void run() {
        while (!mover.orders().isToEnd()) {
            try (Connection connection = new MillraceConnectionFactory(mover.url()).createConnection()) {
                connection.start();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageConsumer consumer = session.createConsumer(session.createQueue(TransferProgram.FROM));
                MessageProducer producer = session.createProducer(session.createQueue(TransferProgram.TO));
                while (!mover.orders().isToEnd()) {
                    moveSome(session, consumer, producer);
                }
            } catch (JMSException again) {
                mover.beginAnew(again);
            }
        }
    }

    private void moveSome(Session session, MessageConsumer consumer, MessageProducer producer) throws JMSException {
        int count = mover.some();
        for (int i = 0; i < count; i++) {
            Message message = consumer.receive(i == 0 ? TransferProgram.WAIT_MS : 1);
            if (message == null) {
                break;
            }
            producer.send(session.createTextMessage(((TextMessage) message).getText()));
        }
        if (mover.rollsBack()) {
            session.rollback();
        } else {
            session.commit();
        }
    }
}
