package io.millrace.server.internal.perf;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Optional;

/**
 * What each message of a load run begins with.
 *
 * @param run which run sent it
 * @param dueNs when it was to be sent, on the clock of the sending process
 * @param dueMs the same by the calendar, for a run in another process
 * @param measured whether it counts, or belongs to the warm-up
 */
record Stamp(long run, long dueNs, long dueMs, boolean measured) {
    static final int SIZE_BYTES = 32;

    private static final long MEASURED = 0x6d696c6c70657266L;
    private static final long WARMUP = 0x6d696c6c7761726dL;

    void write(BytesMessage message) throws JMSException {
        message.writeLong(measured ? MEASURED : WARMUP);
        message.writeLong(run);
        message.writeLong(dueNs);
        message.writeLong(dueMs);
    }

    /** Returns what a message begins with; empty for one that no load run sent. */
    static Optional<Stamp> read(Message message) throws JMSException {
        if (message instanceof BytesMessage bytes && bytes.getBodyLength() >= SIZE_BYTES) {
            long magic = bytes.readLong();
            if (magic == MEASURED || magic == WARMUP) {
                return Optional.of(new Stamp(bytes.readLong(), bytes.readLong(), bytes.readLong(), magic == MEASURED));
            }
        }
        return Optional.empty();
    }
}
