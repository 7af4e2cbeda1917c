package io.millrace.jms.internal.transaction;

import io.millrace.jms.internal.transport.LinkException;
import io.millrace.wire.frame.TransactionIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** One of the transactions that a session goes through in turn: under which identity the next one is written, once that is known. Confined to the loop. */
final class TransactionSlot {

    /** Who waits for an identity. One of the two is called, once. */
    record Taker(Consumer<TransactionIdentity> given, Consumer<LinkException> refused) {}

    private final int number;
    private final List<Taker> takers = new ArrayList<>();
    private Optional<TransactionIdentity> identity = Optional.empty();

    TransactionSlot(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    Optional<TransactionIdentity> identity() {
        return identity;
    }

    void whenIdentified(Taker taker) {
        if (identity.isPresent()) {
            taker.given.accept(identity.get());
        } else {
            takers.add(taker);
        }
    }

    /** The server has given it an identity. */
    void identify(TransactionIdentity next) {
        identity = Optional.of(next);
        takeAll().forEach(taker -> taker.given.accept(next));
    }

    /** Its transaction is ending: the next one has another identity, which is not known yet. */
    void spend() {
        identity = Optional.empty();
    }

    /** There will be no identity. */
    void refuse(LinkException why) {
        takeAll().forEach(taker -> taker.refused.accept(why));
    }

    boolean isWaitedFor() {
        return !takers.isEmpty();
    }

    private List<Taker> takeAll() {
        List<Taker> now = List.copyOf(takers);
        takers.clear();
        return now;
    }
}
