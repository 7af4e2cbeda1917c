package io.millrace.jms.internal.context;

import io.millrace.jms.MillraceQueue;
import io.millrace.jms.MillraceTopic;
import io.millrace.jms.internal.message.Acknowledger;
import io.millrace.jms.internal.message.Delivery;
import io.millrace.jms.internal.message.MessageFactory;
import io.millrace.jms.internal.message.SendFields;
import io.millrace.jms.internal.message.TrustedClasses;
import io.millrace.wire.message.BodyDefault;
import io.millrace.wire.message.MessageRecords;
import io.millrace.wire.message.RecordOrigin;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordCursor;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A provider of the classic API without a broker: connections and sessions that record what is called, with real messages, and
 * consumers that are given their messages by the test.
 */
final class FakeJms {
    static final MessageFactory FACTORY = new MessageFactory(TrustedClasses.of(""));
    static final MillraceQueue QUEUE = queue("orders");
    static final MillraceTopic TOPIC = topic("prices");

    /** Everything that was called, such as {@code session1.createConsumer(queue)}. */
    final CallLog calls = new CallLog();

    final FakeCalls<Connection> connection = new FakeCalls<>(Connection.class, "connection", calls);
    final List<FakeCalls<Session>> sessions = new ArrayList<>();
    final List<FakeCalls<MessageProducer>> producers = new ArrayList<>();
    final List<FakeConsumer> consumers = new ArrayList<>();

    FakeJms() {
        connection.answer("createSession", args -> session((Integer) args[0]));
    }

    JMSContext context(int sessionMode) {
        return MillraceContext.create(connection::proxy, sessionMode);
    }

    private Session session(int mode) {
        FakeCalls<Session> session = new FakeCalls<>(Session.class, "session" + (sessions.size() + 1), calls);
        sessions.add(session);
        session.answer("createMessage", args -> FACTORY.createMessage());
        session.answer("createBytesMessage", args -> FACTORY.createBytesMessage());
        session.answer("createMapMessage", args -> FACTORY.createMapMessage());
        session.answer("createStreamMessage", args -> FACTORY.createStreamMessage());
        session.answer(
                "createTextMessage",
                args -> args.length == 0 ? FACTORY.createTextMessage() : FACTORY.createTextMessage((String) args[0]));
        session.answer(
                "createObjectMessage",
                args -> args.length == 0
                        ? FACTORY.createObjectMessage()
                        : FACTORY.createObjectMessage((Serializable) args[0]));
        session.answer("createProducer", args -> {
            FakeCalls<MessageProducer> producer = new FakeCalls<>(MessageProducer.class, "producer", calls);
            producers.add(producer);
            return producer.proxy();
        });
        for (String method : List.of(
                "createConsumer", "createDurableConsumer", "createSharedConsumer", "createSharedDurableConsumer")) {
            session.answer(method, args -> {
                FakeConsumer consumer = new FakeConsumer(mode);
                consumers.add(consumer);
                return consumer;
            });
        }
        return session.proxy();
    }

    FakeConsumer onlyConsumer() {
        return consumers.get(0);
    }

    /** A message as a consumer gets it: with read-only body and properties. */
    static Message received(Message sent, Acknowledger acknowledger) throws JMSException {
        RecordBatchBuilder batch = new RecordBatchBuilder(1 << 16, 1 << 24);
        SendFields fields = new SendFields(QUEUE, Optional.empty(), 1_700_000_000_000L, false, true, 4, 0, 0);
        MessageRecords.encode(FACTORY.toOutgoing(sent, fields)).tryAppendTo(batch);
        RecordCursor cursor = RecordBatch.at(batch.build(), 0).records();
        cursor.next();
        RecordOrigin origin = new RecordOrigin(new UUID(7, 8), 0, BodyDefault.TEXT);
        return FACTORY.fromRecord(cursor, origin, new Delivery(QUEUE, 1, acknowledger));
    }

    static Message received(Message sent) throws JMSException {
        return received(sent, Acknowledger.IGNORE);
    }

    private static MillraceQueue queue(String name) {
        try {
            return new MillraceQueue(name);
        } catch (InvalidDestinationException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static MillraceTopic topic(String name) {
        try {
            return new MillraceTopic(name);
        } catch (InvalidDestinationException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
