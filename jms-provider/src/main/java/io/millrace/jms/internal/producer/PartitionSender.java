package io.millrace.jms.internal.producer;

import io.millrace.jms.internal.producer.SentBatch.Outcome;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.Loop.Timer;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Send;
import io.millrace.wire.record.Sequences;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Sends the messages of one connection to one partition: each stored once, in the order in which they were handed in.
 *
 * <p>At most {@value #MAX_UNANSWERED} batches are unanswered; what is handed in meanwhile is packed into the next one. After a lost socket, or
 * an answer that says "later", the unanswered batches go again with the same bytes, oldest first, once the leader is known. An answer
 * that says "there is one missing before this" means that this batch is certainly not stored: once it is the oldest, its messages and all
 * later ones are numbered anew under the next epoch.
 *
 * <p>A partition that has no memory of a producer takes any sequence number. So the first batch of an identity, and the oldest one that is
 * repeated, goes alone: only when it is stored the others follow, which otherwise could be taken before it.
 *
 * <p>FLOWING (new batches may go) -> SETTLING (answers came out of line; waits until all are in) -> LOCATING (asks who leads) -> FLOWING.
 * Confined to the loop.
 */
final class PartitionSender {

    /** The server remembers this many batches of a producer, so it knows each of them if it comes again. */
    static final int MAX_UNANSWERED = 5;

    private static final long RETRY_DELAY_NS = 50_000_000;
    private static final long MAX_RETRY_DELAY_NS = 2_000_000_000;
    private static final ProducerIdentity NEVER_GIVEN = new ProducerIdentity(-1, (short) 0);
    private static final Timer NO_TIMER = () -> {};

    private enum State {
        FLOWING,
        SETTLING,
        LOCATING
    }

    private final SendRoute route;
    private final PartitionAddress address;
    private final BatchPacker packer;
    private final Deque<OutgoingMessage> waiting = new ArrayDeque<>();
    private final Deque<SentBatch> unanswered = new ArrayDeque<>();

    private State state = State.FLOWING;
    private Optional<ProducerIdentity> identity = Optional.empty();
    private boolean identityAsked;
    private int nextSequence;
    private int leaderEpoch;
    private boolean transferring;
    private boolean anewDue;

    /** Whether the partition is known to remember this producer. */
    private boolean remembered;

    private boolean pumpScheduled;
    private long retryDelayNs = RETRY_DELAY_NS;
    private Timer retryTimer = NO_TIMER;

    /**
     * Creates a sender that has sent nothing.
     *
     * @param route its connection
     * @param address where to
     * @param packer makes its batches
     * @param leaderEpoch of the partition, as it was described last
     */
    PartitionSender(SendRoute route, PartitionAddress address, BatchPacker packer, int leaderEpoch) {
        this.route = route;
        this.address = address;
        this.packer = packer;
        this.leaderEpoch = leaderEpoch;
    }

    /** Takes a message, after all that it has taken before. */
    void send(OutgoingMessage message) {
        waiting.add(message);
        if (!pumpScheduled) {
            // At the end of the turn, so that a burst becomes one batch.
            pumpScheduled = true;
            route.loop().execute(() -> {
                pumpScheduled = false;
                pump();
            });
        }
    }

    /** Returns whether nothing waits for an answer. */
    boolean idle() {
        return waiting.isEmpty() && unanswered.isEmpty();
    }

    /** The connection is back, and its sessions are. */
    void onUp() {
        // With nothing to repeat there is no need: the next answer will tell if the epoch is an old one.
        if (state != State.LOCATING && !idle()) {
            locate();
        }
    }

    /** The connection ended: nothing will be answered any more. */
    void onClosed(LinkException why) {
        retryTimer.cancel();
        failAll(why);
    }

    private void failAll(LinkException why) {
        List<OutgoingMessage> lost = new ArrayList<>();
        unanswered.forEach(batch -> lost.addAll(batch.messages()));
        lost.addAll(waiting);
        unanswered.clear();
        waiting.clear();
        lost.forEach(message -> message.listener().onFailed(why));
    }

    private void pump() {
        while (state == State.FLOWING
                && route.up()
                && !transferring
                && !anewDue
                && unanswered.size() < (remembered ? MAX_UNANSWERED : 1)
                && !waiting.isEmpty()) {
            if (identity.isEmpty()) {
                askIdentity(NEVER_GIVEN);
                return;
            }
            Optional<SentBatch> batch = packer.pack(waiting, identity.get(), nextSequence);
            if (batch.isEmpty()) {
                return;
            }
            nextSequence = Sequences.plus(nextSequence, batch.get().messages().size());
            unanswered.add(batch.get());
            transmit(batch.get());
        }
    }

    private void askIdentity(ProducerIdentity spent) {
        if (!identityAsked) {
            identityAsked = true;
            route.identity(spent, new IdentityTaker() {
                @Override
                public void onGiven(ProducerIdentity given) {
                    identityAsked = false;
                    identity = Optional.of(given);
                    nextSequence = 0;
                    remembered = false;
                    pump();
                }

                @Override
                public void onFailed(LinkException why) {
                    identityAsked = false;
                    failAll(why);
                }
            });
        }
    }

    private void transmit(SentBatch batch) {
        batch.outcome(Outcome.OPEN);
        if (batch.needsTransfer()) {
            // The server takes the batches in the order in which they are complete: nothing may overtake the chunks.
            transferring = true;
        }
        int session = route.usableSession(batch.session());
        route.send(
                session,
                corr -> new Send(
                        corr,
                        session,
                        address.logId(),
                        address.partition(),
                        leaderEpoch,
                        batch.answer(),
                        batch.bytes()),
                () -> onTransmitted(batch),
                new ReplyHandler() {
                    @Override
                    public void onAnswer(AnswerFrame answer) {
                        batch.outcome(Outcome.STORED);
                        onOutcome();
                    }

                    @Override
                    public void onFailure(LinkException failure) {
                        noteFailure(batch, failure);
                        onOutcome();
                    }
                });
    }

    private void onTransmitted(SentBatch batch) {
        if (transferring && batch.needsTransfer()) {
            transferring = false;
            transmitUnsent();
            pump();
        }
    }

    private void noteFailure(SentBatch batch, LinkException failure) {
        if (failure instanceof LinkLostException) {
            batch.outcome(Outcome.UNSENT);
            transferring = false;
        } else if (failure instanceof RequestRefusedException refused) {
            switch (refused.code()) {
                case OUT_OF_ORDER_SEQUENCE, PRODUCER_FENCED, UNKNOWN_PRODUCER -> batch.outcome(Outcome.GAP);
                case NOT_LEADER, STALE_EPOCH, SHUTTING_DOWN, TIMEOUT, TOO_MANY_REQUESTS ->
                    batch.outcome(Outcome.UNSENT);
                default -> batch.fail(refused);
            }
        } else {
            batch.fail(failure);
        }
    }

    private void onOutcome() {
        while (!unanswered.isEmpty() && unanswered.element().outcome() == Outcome.STORED) {
            retryDelayNs = RETRY_DELAY_NS;
            remembered = true;
            unanswered.remove().tellStored();
        }
        if (state == State.FLOWING && unanswered.stream().allMatch(batch -> goesOn(batch.outcome()))) {
            transmitUnsent();
            pump();
        } else {
            settle();
        }
    }

    /** Whether nothing is wrong with a batch: it is on its way, waits for its turn, or is stored while an older one is not yet. */
    private static boolean goesOn(Outcome outcome) {
        return outcome == Outcome.OPEN || outcome == Outcome.QUEUED || outcome == Outcome.STORED;
    }

    /** Some answer was not "stored": nothing new goes until each batch on its way has its answer. */
    private void settle() {
        if (state == State.LOCATING) {
            return;
        }
        state = State.SETTLING;
        if (unanswered.stream().anyMatch(batch -> batch.outcome() == Outcome.OPEN)) {
            return;
        }
        while (!unanswered.isEmpty() && !isDoubtful(unanswered.element().outcome())) {
            if (unanswered.element().outcome() == Outcome.GAP) {
                anewDue = true;
                takeBack();
            } else {
                SentBatch oldest = unanswered.remove();
                if (oldest.outcome() == Outcome.STORED) {
                    oldest.tellStored();
                } else {
                    // Its sequence numbers may be missing at the server, or not: a new epoch begins at 0 in both cases.
                    anewDue = true;
                    oldest.tellFailed();
                }
            }
        }
        if (unanswered.isEmpty()) {
            flow();
        } else {
            locateLater();
        }
    }

    /** Whether a batch may be stored or not: only the same bytes can find out. */
    private static boolean isDoubtful(Outcome outcome) {
        return outcome == Outcome.UNSENT || outcome == Outcome.QUEUED;
    }

    private void flow() {
        state = State.FLOWING;
        if (anewDue && unanswered.isEmpty()) {
            anewDue = false;
            numberAnew();
        }
        pump();
    }

    /** Unanswered batches from the first gap on become waiting messages again, in front of the others. */
    private void takeBack() {
        List<OutgoingMessage> again = new ArrayList<>();
        List<SentBatch> all = List.copyOf(unanswered);
        unanswered.clear();
        for (SentBatch batch : all) {
            if (batch.outcome() == Outcome.STORED) {
                batch.tellStored();
            } else {
                again.addAll(batch.messages());
            }
        }
        for (int i = again.size() - 1; i >= 0; i--) {
            waiting.addFirst(again.get(i));
        }
    }

    private void numberAnew() {
        nextSequence = 0;
        remembered = false;
        ProducerIdentity spent = identity.orElse(NEVER_GIVEN);
        if (spent.exhausted()) {
            identity = Optional.empty();
            askIdentity(spent);
        } else {
            identity = Optional.of(spent.next());
        }
    }

    private void locateLater() {
        if (!route.up()) {
            return; // onUp will locate
        }
        state = State.LOCATING;
        retryTimer = route.loop().schedule(retryDelayNs, this::locate);
        retryDelayNs = Math.min(retryDelayNs * 2, MAX_RETRY_DELAY_NS);
    }

    private void locate() {
        retryTimer.cancel();
        state = State.LOCATING;
        route.describe(address, new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                onLocated((DestinationDescribed) answer);
            }

            @Override
            public void onFailure(LinkException failure) {
                if (failure instanceof RequestRefusedException refused && isPassing(refused.code())) {
                    locateLater();
                } else {
                    state = State.FLOWING;
                    failAll(failure);
                }
            }
        });
    }

    private static boolean isPassing(ErrorCode code) {
        return code == ErrorCode.NOT_LEADER || code == ErrorCode.SHUTTING_DOWN || code == ErrorCode.TIMEOUT;
    }

    private void onLocated(DestinationDescribed described) {
        if (!described.logId().equals(address.logId()) || described.partitions().size() <= address.partition()) {
            state = State.FLOWING;
            failAll(new RequestRefusedException(
                    ErrorCode.DESTINATION_NOT_FOUND,
                    "The " + address.kind().word() + " " + address.name()
                            + " was deleted while messages were on their way to it"));
            return;
        }
        leaderEpoch = described.partitions().get(address.partition()).leaderEpoch();
        remembered = false;
        unanswered.stream()
                .filter(batch -> batch.outcome() != Outcome.STORED)
                .forEach(batch -> batch.outcome(Outcome.QUEUED));
        transmitUnsent();
        flow();
    }

    /** Sends again what waits for its turn, oldest first: one alone at first, and nothing beside a transfer. */
    private void transmitUnsent() {
        for (SentBatch batch : unanswered) {
            boolean alone = !remembered && !batch.equals(unanswered.element());
            if (transferring || alone) {
                return;
            }
            if (batch.outcome() == Outcome.QUEUED) {
                transmit(batch);
            }
        }
    }
}
