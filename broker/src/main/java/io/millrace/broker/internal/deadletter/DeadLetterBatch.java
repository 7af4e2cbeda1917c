package io.millrace.broker.internal.deadletter;

import io.millrace.broker.internal.partition.GivenUp;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.wire.record.BatchTooLargeException;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.record.RecordHeader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A batch of dead letters: one for each record that was given up, with headers that say which one it was and why it is here, and if that is
 * wished with the record's own key, value and headers before. Source: KIP-1191.
 *
 * @param offsets how many offsets of what was given up it is about, counted from the first one on
 * @param batch the batch, or empty if these offsets hold no record
 */
record DeadLetterBatch(int offsets, Optional<ByteBuffer> batch) {

    static final String TOPIC = "__dlq.errors.topic";
    static final String PARTITION = "__dlq.errors.partition";
    static final String OFFSET = "__dlq.errors.offset";
    static final String GROUP = "__dlq.errors.group";
    static final String DELIVERY_COUNT = "__dlq.errors.delivery.count";
    static final String MESSAGE = "__dlq.errors.message";

    private static final int MAX_OFFSETS = 100_000;

    /**
     * Builds one, as large as it may be.
     *
     * @param nowMs the time of the letters
     * @param maxBytes largest batch that the letters' partition takes
     */
    static DeadLetterBatch of(
            DeadLetterAddress address, Partition from, List<GivenUp> records, long nowMs, int maxBytes) {
        try (SourceRecords source = new SourceRecords(from)) {
            return new Writing(address, from, source, nowMs, maxBytes).write(records);
        }
    }

    private static final class Writing {
        private final DeadLetterAddress address;
        private final Partition from;
        private final SourceRecords source;
        private final long nowMs;
        private final RecordBatchBuilder builder;
        private final String topic;
        private int offsets;

        Writing(DeadLetterAddress address, Partition from, SourceRecords source, long nowMs, int maxBytes) {
            this.address = address;
            this.from = from;
            this.source = source;
            this.nowMs = nowMs;
            this.builder = new RecordBatchBuilder(maxBytes, maxBytes);
            this.topic = address.nameOf(from);
        }

        DeadLetterBatch write(List<GivenUp> records) {
            for (GivenUp some : records) {
                if (!add(some)) {
                    break;
                }
            }
            return new DeadLetterBatch(offsets, builder.isEmpty() ? Optional.empty() : Optional.of(builder.build()));
        }

        /** Adds letters; returns whether there is room for more. */
        private boolean add(GivenUp some) {
            long end = some.range().endOffset();
            for (long offset = some.range().firstOffset(); offset < end; ) {
                if (offsets >= MAX_OFFSETS) {
                    return false;
                }
                SourceRecords.Found found = source.find(offset, end);
                if (found == SourceRecords.Found.NOTHING) {
                    offsets += (int) (end - offset);
                    return true;
                }
                boolean readable = found == SourceRecords.Found.RECORD;
                long at = readable ? source.cursor().offset() : offset;
                boolean copied = readable && address.copies();
                boolean added = copied ? addCopy(some, at) : addNote(some, at, "");
                if (!added) {
                    return false;
                }
                offsets += (int) (at + 1 - offset);
                offset = at + 1;
            }
            return true;
        }

        private boolean addCopy(GivenUp some, long offset) {
            RecordCursor record = source.cursor();
            List<RecordHeader> headers = new ArrayList<>();
            for (int i = 0; i < record.headerCount(); i++) {
                ByteBuffer value = record.headerValue(i);
                headers.add(new RecordHeader(record.headerName(i), value == null ? null : bytes(value)));
            }
            addContext(some, offset, "", headers);
            try {
                return builder.tryAppend(nowMs, record.key(), record.value(), headers);
            } catch (BatchTooLargeException e) {
                // Better to know where it is than nothing.
                return addNote(some, offset, "; with its letter it is too large to be copied");
            }
        }

        private boolean addNote(GivenUp some, long offset, String more) {
            List<RecordHeader> headers = new ArrayList<>();
            addContext(some, offset, more, headers);
            return builder.tryAppend(nowMs, (ByteBuffer) null, null, headers);
        }

        private void addContext(GivenUp some, long offset, String more, List<RecordHeader> to) {
            to.add(header(TOPIC, topic));
            to.add(header(PARTITION, String.valueOf(from.id().partition())));
            to.add(header(OFFSET, String.valueOf(offset)));
            to.add(header(GROUP, address.group()));
            if (some.deliveries() > 0) {
                to.add(header(DELIVERY_COUNT, String.valueOf(some.deliveries())));
            }
            to.add(header(MESSAGE, message(some) + more));
        }

        private static String message(GivenUp some) {
            return switch (some.reason()) {
                case REJECTED -> "The record was rejected by its consumer";
                case DELIVERED_TOO_OFTEN -> "The record was delivered as often as it may be";
            };
        }

        private static RecordHeader header(String name, String value) {
            return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
        }

        private static byte[] bytes(ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            return bytes;
        }
    }
}
