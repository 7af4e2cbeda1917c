package io.millrace.jms.internal.transaction;

import io.millrace.jms.internal.consumer.Receipts;
import io.millrace.jms.internal.producer.TransactionSends;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.wire.frame.TransactionIdentity;
import java.util.Optional;

/** One transaction: what was sent and received in it. Confined to the loop, except the receipts. */
final class TransactedWork {

    private final TransactionSlot slot;
    private final TransactionSends sends;
    private final Receipts receipts = new Receipts();
    private Optional<LinkException> lost = Optional.empty();
    private Optional<TransactionIdentity> ended = Optional.empty();

    TransactedWork(TransactionSlot slot, TransactionSends sends) {
        this.slot = slot;
        this.sends = sends;
    }

    TransactionSlot slot() {
        return slot;
    }

    TransactionSends sends() {
        return sends;
    }

    /** For any thread. */
    Receipts receipts() {
        return receipts;
    }

    boolean isUsed() {
        return sends.isUsed() || !receipts.isEmpty() || lost.isPresent();
    }

    /** The server is asked to commit it; its identity is not for another one. */
    void end(TransactionIdentity identity) {
        slot.spend();
        ended = Optional.of(identity);
    }

    /** Returns under which it was written. */
    TransactionIdentity ended() {
        return ended.orElseThrow();
    }

    /** It can only be rolled back. */
    void lose(LinkException why) {
        if (lost.isEmpty()) {
            lost = Optional.of(why);
        }
        sends.fail(why);
    }

    /** Returns why it can only be rolled back. */
    Optional<LinkException> loss() {
        return lost.isPresent() ? lost : sends.failure();
    }
}
