package io.millrace.jms.internal.session;

import io.millrace.jms.MillraceDestination;
import io.millrace.jms.internal.message.SendFields;
import io.millrace.jms.internal.producer.OutgoingMessage;
import io.millrace.jms.internal.producer.PartitionAddress;
import io.millrace.jms.internal.producer.SendBudget;
import io.millrace.jms.internal.producer.SendBudget.Room;
import io.millrace.jms.internal.producer.SendListener;
import io.millrace.jms.internal.transaction.TransactedSend;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.message.EncodedMessage;
import io.millrace.wire.message.MessageRecords;
import io.millrace.wire.record.RecordBatch;
import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Sends one message: makes a record of it in the application's thread, hands it to the loop, and waits if its delivery mode and the method
 * that was called ask for it. Confined to the session's thread.
 */
final class MessageSender {

    /**
     * How a message is to be sent.
     *
     * @param persistent delivery mode
     * @param withId whether it gets a JMSMessageID
     * @param withTimestamp whether it gets a JMSTimestamp
     */
    record Terms(boolean persistent, boolean withId, boolean withTimestamp) {}

    private static final int PRIORITY = Message.DEFAULT_PRIORITY;

    private final MillraceSession session;

    MessageSender(MillraceSession session) {
        this.session = session;
    }

    /**
     * Sends a message.
     *
     * @param listener empty: returns when a PERSISTENT message is stored, and at once for a NON_PERSISTENT one
     */
    void send(MillraceDestination destination, Message message, Terms terms, Optional<CompletionListener> listener)
            throws JMSException {
        MillraceConnection connection = session.connection();
        SendFields fields = new SendFields(
                destination,
                terms.withId() ? Optional.of(connection.nextMessageId()) : Optional.empty(),
                connection.clock().nowMs(),
                !terms.withTimestamp(),
                terms.persistent(),
                PRIORITY,
                0,
                0);
        EncodedMessage encoded = MessageRecords.encode(connection.messages().toOutgoing(message, fields));
        Optional<TransactedSend> transaction = session.consumption().transaction();
        session.consumption().checkWork();
        if (transaction.isPresent()) {
            session.routes().refresh();
        }
        PartitionAddress address = session.routes().address(destination, encoded.key());
        DestinationDescribed described = session.routes().described(destination);
        checkSize(encoded, described);
        Room room = admit(encoded);
        if (transaction.isPresent()) {
            SendListener outcome = listener.isPresent()
                    ? session.sends()
                            .add(listener, message, () -> connection.budget().give(room))
                    : giving(room);
            connection.loop().execute(() -> handIn(transaction.get(), address, described, encoded, terms, outcome));
        } else if (listener.isPresent() || (!terms.persistent() && !TemporaryCreation.isTemporary(destination))) {
            SendListener outcome = session.sends()
                    .add(listener, message, () -> connection.budget().give(room));
            connection.loop().execute(() -> handIn(address, described, encoded, terms, outcome));
        } else {
            sendAndWait(destination, address, described, encoded, room);
        }
    }

    private void sendAndWait(
            MillraceDestination destination,
            PartitionAddress address,
            DestinationDescribed described,
            EncodedMessage encoded,
            Room room)
            throws JMSException {
        MillraceConnection connection = session.connection();
        Terms persistent = new Terms(true, true, true);
        try {
            connection.calls().call("Sending a message to " + destination, connection.sendTimeoutMs(), () -> {
                CompletableFuture<Void> stored = new CompletableFuture<>();
                handIn(address, described, encoded, persistent, new SendListener() {
                    @Override
                    public void onStored() {
                        connection.budget().give(room);
                        stored.complete(null);
                    }

                    @Override
                    public void onFailed(LinkException why) {
                        connection.budget().give(room);
                        stored.completeExceptionally(why);
                    }
                });
                return stored;
            });
        } catch (JMSException failed) {
            if (failed.getCause() instanceof RequestRefusedException refused
                    && refused.code() == ErrorCode.DESTINATION_NOT_FOUND) {
                // Deleted meanwhile: the next send asks again, and may create it.
                session.routes().forget(destination);
            }
            throw failed;
        }
    }

    private void handIn(
            PartitionAddress address,
            DestinationDescribed described,
            EncodedMessage encoded,
            Terms terms,
            SendListener outcome) {
        session.connection()
                .client()
                .send(
                        address,
                        described.maxMessageBytes(),
                        described.partitions().get(address.partition()).leaderEpoch(),
                        new OutgoingMessage(encoded, session.client().number(), terms.persistent(), outcome));
    }

    private void handIn(
            TransactedSend transaction,
            PartitionAddress address,
            DestinationDescribed described,
            EncodedMessage encoded,
            Terms terms,
            SendListener outcome) {
        transaction.send(
                address,
                described.maxMessageBytes(),
                described.partitions().get(address.partition()).leaderEpoch(),
                new OutgoingMessage(encoded, session.client().number(), terms.persistent(), outcome));
    }

    /** Nobody waits for a message of a transaction: its commit tells. */
    private SendListener giving(Room room) {
        SendBudget budget = session.connection().budget();
        return new SendListener() {
            @Override
            public void onStored() {
                budget.give(room);
            }

            @Override
            public void onFailed(LinkException why) {
                budget.give(room);
            }
        };
    }

    private static void checkSize(EncodedMessage encoded, DestinationDescribed described) throws JMSException {
        long bytes = (long) encoded.sizeBytes() + RecordBatch.HEADER_SIZE;
        if (bytes > described.maxMessageBytes()) {
            throw new JMSException(
                    "The message takes " + bytes + " bytes, but "
                            + described.kind().word() + " " + described.name() + " takes at most "
                            + described.maxMessageBytes() + " (max.message.bytes)",
                    "message_too_large");
        }
    }

    /** Waits while too much is on its way. */
    private Room admit(EncodedMessage encoded) throws JMSException {
        MillraceConnection connection = session.connection();
        SendBudget budget = connection.budget();
        Room room = budget.take(encoded.sizeBytes());
        if (!room.admitted().isDone()) {
            boolean admitted = false;
            try {
                connection
                        .calls()
                        .call("Waiting for room in the send buffer", connection.sendTimeoutMs(), room::admitted);
                admitted = true;
            } finally {
                if (!admitted) {
                    budget.give(room);
                }
            }
        }
        return room;
    }
}
