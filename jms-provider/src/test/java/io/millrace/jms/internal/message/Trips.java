package io.millrace.jms.internal.message;

import io.millrace.jms.MillraceQueue;
import io.millrace.wire.message.BodyDefault;
import io.millrace.wire.message.MessageId;
import io.millrace.wire.message.MessageRecords;
import io.millrace.wire.message.RecordOrigin;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.record.RecordHeader;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sends messages through records, as a producer and a consumer do, without a broker between. */
final class Trips {
    static final MessageFactory FACTORY = new MessageFactory(TrustedClasses.of(""));
    static final MillraceQueue QUEUE = queue("orders");
    static final MessageId ID = new MessageId.Client(new UUID(1, 2), 3);
    static final long NOW = 1_700_000_000_000L;
    static final RecordOrigin ORIGIN = new RecordOrigin(new UUID(7, 8), 0, BodyDefault.TEXT);

    private Trips() {}

    static MillraceQueue queue(String name) {
        try {
            return new MillraceQueue(name);
        } catch (InvalidDestinationException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static SendFields fields() {
        return new SendFields(QUEUE, Optional.of(ID), NOW, false, true, 4, 0, 0);
    }

    static <M extends Message> M receive(M sent) throws JMSException {
        return receive(sent, fields(), FACTORY);
    }

    @SuppressWarnings("unchecked") // what comes out is of the interface that went in
    static <M extends Message> M receive(M sent, SendFields fields, MessageFactory factory) throws JMSException {
        RecordBatchBuilder batch = new RecordBatchBuilder(1 << 16, 1 << 24);
        MessageRecords.encode(factory.toOutgoing(sent, fields)).tryAppendTo(batch);
        return (M) receive(batch, factory, new Delivery(QUEUE, 1, Acknowledger.IGNORE));
    }

    static Message receive(RecordBatchBuilder batch, MessageFactory factory, Delivery delivery) {
        RecordCursor cursor = RecordBatch.at(batch.build(), 0).records();
        cursor.next();
        return factory.fromRecord(cursor, ORIGIN, delivery);
    }

    /** What a Kafka client wrote. */
    static Message receive(byte @Nullable [] key, byte @Nullable [] value, RecordHeader... headers) {
        RecordBatchBuilder batch = new RecordBatchBuilder(1 << 16, 1 << 24);
        batch.tryAppend(NOW, key, value, List.of(headers));
        return receive(batch, FACTORY, new Delivery(QUEUE, 2, Acknowledger.IGNORE));
    }

    /** The names in an enumeration, whose type the interfaces leave open. */
    static List<String> names(Enumeration<?> names) {
        List<String> list = new ArrayList<>();
        while (names.hasMoreElements()) {
            list.add((String) names.nextElement());
        }
        return list;
    }
}
