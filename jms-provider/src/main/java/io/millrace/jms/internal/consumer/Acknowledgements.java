package io.millrace.jms.internal.consumer;

import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.Acknowledged;
import io.millrace.wire.frame.AcknowledgedRanges;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.TransactionIdentity;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Tells the server what the application of one session is done with. Confined to the loop. */
final class Acknowledgements {

    /** Keep a frame far below its limit: an item takes 34 bytes, and 9 for each further range. */
    private static final int MAX_ITEMS = 1_000;

    private static final int MAX_RANGES = 4_000;

    private final FeedSession session;
    private final UnansweredRequests requests;
    private HeldSet pending = new HeldSet();

    Acknowledgements(FeedSession session, UnansweredRequests requests) {
        this.session = session;
        this.requests = requests;
    }

    /** Notes that the application is done with a message; {@link #flush} sends it. */
    void add(HeldMessage message) {
        if (message.acquisition().holds(message.index())) {
            pending.add(message);
        }
    }

    /** Sends what was noted, without waiting for an answer. */
    void flush() {
        HeldSet taken = pending;
        pending = new HeldSet();
        send(taken, false);
    }

    /**
     * Acknowledges messages so that it survives a power cut. All of them are still lent to this client, as far as it knows.
     *
     * @return completed when the server has confirmed all of them; failed if one of them will be delivered again
     */
    CompletableFuture<Void> acknowledge(Collection<HeldMessage> messages) {
        flush();
        HeldSet set = new HeldSet();
        messages.forEach(set::add);
        List<CompletableFuture<Void>> answers = send(set, true);
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    }

    /** Acknowledges what was received in a transaction, in its name. What comes of it, the end of the transaction tells. */
    void acknowledge(Receipts receipts, TransactionIdentity transaction) {
        Iterator<Map.Entry<Acquisition, BitSet>> rest =
                receipts.received().byAcquisition().entrySet().iterator();
        while (rest.hasNext()) {
            List<AcknowledgedRanges> items = nextItems(rest, new HeldSet());
            session.ask(
                    corr -> new Acknowledge(corr, session.number(), false, Optional.of(transaction), items),
                    new ReplyHandler() {
                        @Override
                        public void onAnswer(AnswerFrame answer) {
                            // The server counts what it refused.
                        }

                        @Override
                        public void onFailure(LinkException failure) {
                            // The same.
                        }
                    });
        }
    }

    /** What was noted belongs to a session that the server has forgotten. */
    void forget() {
        pending = new HeldSet();
    }

    private List<CompletableFuture<Void>> send(HeldSet set, boolean durable) {
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        Iterator<Map.Entry<Acquisition, BitSet>> rest =
                set.byAcquisition().entrySet().iterator();
        while (rest.hasNext()) {
            answers.add(sendFrame(rest, durable));
        }
        return answers;
    }

    /** Takes as much as a frame can carry. */
    private List<AcknowledgedRanges> nextItems(Iterator<Map.Entry<Acquisition, BitSet>> rest, HeldSet inFrame) {
        List<AcknowledgedRanges> items = new ArrayList<>();
        int ranges = 0;
        while (rest.hasNext() && items.size() < MAX_ITEMS && ranges < MAX_RANGES) {
            Map.Entry<Acquisition, BitSet> next = rest.next();
            Acquisition acquisition = next.getKey();
            int holder = acquisition.feed().session();
            AcknowledgedRanges item = new AcknowledgedRanges(
                    holder == session.number() ? AcknowledgedRanges.OWN : holder,
                    acquisition.feed().consumer(),
                    acquisition.feed().partition(),
                    acquisition.leaderEpoch(),
                    acquisition.id(),
                    acquisition.ranges(next.getValue()));
            items.add(item);
            ranges += item.ranges().size();
            inFrame.byAcquisition().put(acquisition, next.getValue());
        }
        return items;
    }

    private CompletableFuture<Void> sendFrame(Iterator<Map.Entry<Acquisition, BitSet>> rest, boolean durable) {
        HeldSet inFrame = new HeldSet();
        List<AcknowledgedRanges> items = nextItems(rest, inFrame);
        CompletableFuture<Void> answered = new CompletableFuture<>();
        requests.ask(corr -> new Acknowledge(corr, session.number(), durable, items), new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                inFrame.drop();
                if (((Acknowledged) answer).refused().isEmpty()) {
                    answered.complete(null);
                } else {
                    answered.completeExceptionally(tooLate("they were no longer lent to this client"));
                }
            }

            @Override
            public void onFailure(LinkException failure) {
                inFrame.drop();
                answered.completeExceptionally(failure);
            }
        });
        return answered;
    }

    static RequestRefusedException tooLate(String why) {
        return new RequestRefusedException(
                ErrorCode.ACQUISITION_NOT_CURRENT,
                "The messages could not be acknowledged and will be delivered again: " + why);
    }
}
