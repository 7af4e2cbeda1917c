package io.millrace.broker.internal.transaction;

import io.millrace.coordinator.transaction.Identities;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.TransactionKind;
import io.millrace.coordinator.transaction.TransactionOrigin;
import io.millrace.coordinator.transaction.TransactionRecord;
import io.millrace.coordinator.transaction.TransactionState;
import io.millrace.coordinator.transaction.UnsyncedEnd;
import io.millrace.coordinator.transaction.Xid;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.coordinator.transaction.generated.TransactionLogKey;
import org.apache.kafka.coordinator.transaction.generated.TransactionLogValue;
import org.apache.kafka.coordinator.transaction.generated.TransactionLogValue.PartitionsSchema;

/**
 * Records of {@code __transaction_state}: Kafka's, so that its tools can read them, with a tagged field of ours for what Kafka does not
 * know. A prepared branch is ongoing for Kafka's eyes. {@code docs/transaction-log-format.md} has the bytes of our field.
 */
final class TransactionRecordCodec {

    private static final short KEY_VERSION = 0;
    private static final short VALUE_VERSION = 1;

    /** Kafka numbers its fields from 0 on. */
    private static final int OUR_TAG = 1_000;

    private static final byte OUR_VERSION = 1;
    private static final int PREPARED = 1;
    private static final int HEURISTIC = 2;
    private static final int FENCED = 4;
    private static final int HAS_PREVIOUS = 8;
    private static final int HAS_XID = 16;
    private static final int HAS_UNSYNCED = 32;
    private static final int UNSYNCED_COMMIT = 64;
    private static final int PREPARING = 128;
    private static final byte DATA = 0;
    private static final byte CURSOR = 1;
    private static final long NO_PRODUCER = -1;

    private TransactionRecordCodec() {}

    static byte[] encodeKey(String id) {
        return MessageUtil.toVersionPrefixedBytes(KEY_VERSION, new TransactionLogKey().setTransactionalId(id));
    }

    static byte[] encodeValue(TransactionRecord record) {
        Identities identities = record.identities();
        ProducerIdentity next = identities.next().orElse(null);
        TransactionLogValue value = new TransactionLogValue()
                .setProducerId(identities.current().id())
                .setProducerEpoch(identities.current().epoch())
                .setPreviousProducerId(
                        identities.previous().map(ProducerIdentity::id).orElse(NO_PRODUCER))
                .setNextProducerId(next == null ? NO_PRODUCER : next.id())
                .setNextProducerEpoch(next == null ? -1 : next.epoch())
                .setTransactionTimeoutMs(record.origin().timeoutMs())
                .setTransactionStatus(status(record.state()))
                .setTransactionPartitions(record.state() == TransactionState.EMPTY ? null : dataParticipants(record))
                .setTransactionLastUpdateTimestampMs(record.updatedMs())
                .setTransactionStartTimestampMs(record.startedMs())
                .setClientTransactionVersion((short) record.origin().protocolVersion());
        value.unknownTaggedFields().add(new RawTaggedField(OUR_TAG, ours(record)));
        return MessageUtil.toVersionPrefixedBytes(VALUE_VERSION, value);
    }

    private static List<PartitionsSchema> dataParticipants(TransactionRecord record) {
        Map<String, PartitionsSchema> topics = new LinkedHashMap<>();
        for (Participant participant : record.participants()) {
            if (participant.part() == Participant.Part.DATA) {
                topics.computeIfAbsent(
                                participant.log(),
                                topic -> new PartitionsSchema().setTopic(topic).setPartitionIds(new ArrayList<>()))
                        .partitionIds()
                        .add(participant.partition());
            }
        }
        return List.copyOf(topics.values());
    }

    private static byte status(TransactionState state) {
        return switch (state) {
            case EMPTY -> 0;
            case ONGOING, PREPARING, PREPARED -> 1;
            case PREPARE_COMMIT -> 2;
            case PREPARE_ABORT -> 3;
            case COMPLETE_COMMIT -> 4;
            case COMPLETE_ABORT -> 5;
        };
    }

    private static byte kind(TransactionKind kind) {
        return switch (kind) {
            case PRODUCER -> 0;
            case SESSION -> 1;
            case BRANCH -> 2;
        };
    }

    private static byte[] ours(TransactionRecord record) {
        byte[] principal = utf8(record.origin().principal());
        Optional<ProducerIdentity> previous = record.identities().previous();
        Optional<Xid> xid = record.origin().xid();
        List<Participant> cursors = record.participants().stream()
                .filter(participant -> participant.part() == Participant.Part.CURSOR)
                .toList();
        Set<Participant> unsynced =
                record.unsynced().map(UnsyncedEnd::participants).orElse(Set.of());
        int bytes = 3 + 2 + principal.length + 10 + 4 + 2 * (1 + Xid.MAX_PART_BYTES) + 2 * 4;
        for (Participant participant : cursors) {
            bytes += 2 + utf8(participant.log()).length + 4;
        }
        for (Participant participant : unsynced) {
            bytes += 1 + 2 + utf8(participant.log()).length + 4;
        }
        int flags = (record.state() == TransactionState.PREPARED ? PREPARED : 0)
                | (record.state() == TransactionState.PREPARING ? PREPARING : 0)
                | (record.heuristic() ? HEURISTIC : 0)
                | (record.identities().fenced() ? FENCED : 0)
                | (previous.isPresent() ? HAS_PREVIOUS : 0)
                | (xid.isPresent() ? HAS_XID : 0)
                | (record.unsynced().isPresent() ? HAS_UNSYNCED : 0)
                | (record.unsynced().filter(UnsyncedEnd::commit).isPresent() ? UNSYNCED_COMMIT : 0);
        ByteBuffer out = ByteBuffer.allocate(bytes);
        out.put(OUR_VERSION).put(kind(record.origin().kind())).put((byte) flags);
        out.putShort((short) principal.length).put(principal);
        previous.ifPresent(before -> out.putLong(before.id()).putShort(before.epoch()));
        xid.ifPresent(branch -> {
            out.putInt(branch.formatId());
            putShortBytes(out, branch.globalTransactionIdBytes());
            putShortBytes(out, branch.branchQualifierBytes());
        });
        out.putInt(cursors.size());
        cursors.forEach(participant -> putPartition(out, participant));
        if (record.unsynced().isPresent()) {
            out.putInt(unsynced.size());
            for (Participant participant : unsynced) {
                out.put(participant.part() == Participant.Part.DATA ? DATA : CURSOR);
                putPartition(out, participant);
            }
        }
        byte[] ours = new byte[out.flip().remaining()];
        out.get(ours);
        return ours;
    }

    private static void putPartition(ByteBuffer out, Participant participant) {
        byte[] log = utf8(participant.log());
        out.putShort((short) log.length).put(log).putInt(participant.partition());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void putShortBytes(ByteBuffer out, byte[] bytes) {
        out.put((byte) bytes.length).put(bytes);
    }

    /**
     * Reads the key of a record.
     *
     * @return the id, or empty if the record is of a kind that is not known, and to be passed over
     */
    static Optional<String> decodeKey(ByteBuffer key) {
        ByteBuffer in = key.duplicate();
        if (in.getShort() != KEY_VERSION) {
            return Optional.empty();
        }
        return Optional.of(new TransactionLogKey(new ByteBufferAccessor(in), KEY_VERSION).transactionalId());
    }

    /**
     * Reads the value of a record.
     *
     * @throws IllegalArgumentException if it is none
     */
    static TransactionRecord decodeValue(String id, ByteBuffer value) {
        try {
            ByteBuffer in = value.duplicate();
            short version = in.getShort();
            if (version < TransactionLogValue.LOWEST_SUPPORTED_VERSION
                    || version > TransactionLogValue.HIGHEST_SUPPORTED_VERSION) {
                throw new IllegalArgumentException("transaction " + id + " has a record of unknown version " + version);
            }
            return toRecord(id, new TransactionLogValue(new ByteBufferAccessor(in), version));
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("transaction " + id + " has a record that is cut off", e);
        }
    }

    private static TransactionRecord toRecord(String id, TransactionLogValue value) {
        Ours ours = value.unknownTaggedFields().stream()
                .filter(field -> field.tag() == OUR_TAG)
                .findFirst()
                .map(field -> Ours.read(id, ByteBuffer.wrap(field.data())))
                .orElse(Ours.NONE);
        Set<Participant> participants = new LinkedHashSet<>();
        if (value.transactionPartitions() != null) {
            for (PartitionsSchema topic : value.transactionPartitions()) {
                topic.partitionIds()
                        .forEach(partition ->
                                participants.add(new Participant(topic.topic(), partition, Participant.Part.DATA)));
            }
        }
        participants.addAll(ours.cursors);
        Identities identities = new Identities(
                new ProducerIdentity(value.producerId(), value.producerEpoch()),
                value.nextProducerId() < 0
                        ? Optional.empty()
                        : Optional.of(new ProducerIdentity(
                                value.nextProducerId(), (short) Math.max(0, value.nextProducerEpoch()))),
                ours.previous,
                (ours.flags & FENCED) != 0);
        return new TransactionRecord(
                id,
                new TransactionOrigin(
                        ours.kind,
                        ours.principal,
                        value.transactionTimeoutMs(),
                        value.clientTransactionVersion(),
                        ours.xid),
                identities,
                state(id, value.transactionStatus(), ours),
                participants,
                value.transactionStartTimestampMs(),
                value.transactionLastUpdateTimestampMs(),
                (ours.flags & HEURISTIC) != 0,
                ours.unsynced);
    }

    private static TransactionState state(String id, byte status, Ours ours) {
        return switch (status) {
            case 0 -> TransactionState.EMPTY;
            case 1 -> open(ours.flags);
            case 2 -> TransactionState.PREPARE_COMMIT;
            case 3 -> TransactionState.PREPARE_ABORT;
            case 4 -> TransactionState.COMPLETE_COMMIT;
            case 5 -> TransactionState.COMPLETE_ABORT;
            default -> throw new IllegalArgumentException("transaction " + id + " has the unknown status " + status);
        };
    }

    private static TransactionState open(int flags) {
        if ((flags & PREPARED) != 0) {
            return TransactionState.PREPARED;
        }
        return (flags & PREPARING) != 0 ? TransactionState.PREPARING : TransactionState.ONGOING;
    }

    /** What Kafka does not know. */
    private record Ours(
            TransactionKind kind,
            int flags,
            String principal,
            Optional<ProducerIdentity> previous,
            Optional<Xid> xid,
            List<Participant> cursors,
            Optional<UnsyncedEnd> unsynced) {

        private static final Ours NONE = new Ours(
                TransactionKind.PRODUCER, 0, "", Optional.empty(), Optional.empty(), List.of(), Optional.empty());

        private static Ours read(String id, ByteBuffer in) {
            byte version = in.get();
            byte kind = in.get();
            if (version != OUR_VERSION) {
                throw new IllegalArgumentException(
                        "transaction " + id + " has a record of a later version of Millrace: " + version);
            }
            int flags = in.get();
            String principal = text(in);
            Optional<ProducerIdentity> previous = (flags & HAS_PREVIOUS) == 0
                    ? Optional.empty()
                    : Optional.of(new ProducerIdentity(in.getLong(), in.getShort()));
            Optional<Xid> xid = (flags & HAS_XID) == 0
                    ? Optional.empty()
                    : Optional.of(Xid.of(in.getInt(), shortBytes(in), shortBytes(in)));
            List<Participant> cursors = new ArrayList<>();
            for (int count = in.getInt(); count > 0; count--) {
                cursors.add(new Participant(text(in), in.getInt(), Participant.Part.CURSOR));
            }
            Optional<UnsyncedEnd> unsynced =
                    (flags & HAS_UNSYNCED) == 0 ? Optional.empty() : Optional.of(unsynced(id, flags, in));
            return new Ours(kind(id, kind), flags, principal, previous, xid, cursors, unsynced);
        }

        private static UnsyncedEnd unsynced(String id, int flags, ByteBuffer in) {
            Set<Participant> participants = new LinkedHashSet<>();
            for (int count = in.getInt(); count > 0; count--) {
                Participant.Part part = part(id, in.get());
                participants.add(new Participant(text(in), in.getInt(), part));
            }
            return new UnsyncedEnd((flags & UNSYNCED_COMMIT) != 0, participants);
        }

        private static Participant.Part part(String id, byte part) {
            return switch (part) {
                case DATA -> Participant.Part.DATA;
                case CURSOR -> Participant.Part.CURSOR;
                default ->
                    throw new IllegalArgumentException("transaction " + id + " has an unknown kind of log: " + part);
            };
        }

        private static TransactionKind kind(String id, byte kind) {
            return switch (kind) {
                case 0 -> TransactionKind.PRODUCER;
                case 1 -> TransactionKind.SESSION;
                case 2 -> TransactionKind.BRANCH;
                default -> throw new IllegalArgumentException("transaction " + id + " is of unknown kind " + kind);
            };
        }

        private static String text(ByteBuffer in) {
            byte[] bytes = new byte[in.getShort()];
            in.get(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }

        private static byte[] shortBytes(ByteBuffer in) {
            byte[] bytes = new byte[in.get()];
            in.get(bytes);
            return bytes;
        }
    }
}
