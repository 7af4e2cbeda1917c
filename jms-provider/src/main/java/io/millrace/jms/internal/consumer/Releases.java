package io.millrace.jms.internal.consumer;

import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.Release;
import io.millrace.wire.frame.ReleasedRanges;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Gives messages that one session has got back to the server. Confined to the loop. */
final class Releases {

    private static final int MAX_ITEMS = 1_000;

    private final UnansweredRequests requests;

    Releases(UnansweredRequests requests) {
        this.requests = requests;
    }

    /**
     * Gives messages back.
     *
     * @param seen messages that the application has seen: the attempt counts
     * @param unseen messages that it has not
     * @return completed when the server has them, or has no memory of them
     */
    CompletableFuture<Void> release(Collection<HeldMessage> seen, Collection<HeldMessage> unseen) {
        return release(held(seen), held(unseen));
    }

    /** Gives back what was received in a transaction, as {@link #release(Collection, Collection)}. */
    CompletableFuture<Void> release(Receipts seen, Collection<HeldMessage> unseen) {
        return release(seen.received(), held(unseen));
    }

    private CompletableFuture<Void> release(HeldSet seen, HeldSet unseen) {
        Map<PartitionFeed, List<Item>> byPartition = new LinkedHashMap<>();
        collect(seen, true, byPartition);
        collect(unseen, false, byPartition);
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        byPartition.forEach((feed, items) -> {
            for (int from = 0; from < items.size(); from += MAX_ITEMS) {
                answers.add(send(feed, items.subList(from, Math.min(items.size(), from + MAX_ITEMS))));
            }
        });
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    }

    private record Item(Acquisition acquisition, HeldSet messages, ReleasedRanges ranges) {}

    private static HeldSet held(Collection<HeldMessage> messages) {
        HeldSet set = new HeldSet();
        messages.forEach(set::add);
        return set;
    }

    /** What the server has taken back already is left out. */
    private static void collect(HeldSet set, boolean seen, Map<PartitionFeed, List<Item>> byPartition) {
        set.byAcquisition().forEach((acquisition, all) -> {
            BitSet indexes = acquisition.held(all);
            if (indexes.isEmpty()) {
                return;
            }
            collect(acquisition, indexes, seen, byPartition);
        });
    }

    private static void collect(
            Acquisition acquisition, BitSet indexes, boolean seen, Map<PartitionFeed, List<Item>> byPartition) {
        HeldSet part = new HeldSet();
        part.byAcquisition().put(acquisition, indexes);
        ReleasedRanges ranges = new ReleasedRanges(acquisition.id(), acquisition.ranges(indexes), seen);
        byPartition
                .computeIfAbsent(acquisition.feed(), missing -> new ArrayList<>())
                .add(new Item(acquisition, part, ranges));
    }

    private CompletableFuture<Void> send(PartitionFeed feed, List<Item> items) {
        int leaderEpoch = items.get(0).acquisition.leaderEpoch();
        List<ReleasedRanges> ranges = items.stream().map(Item::ranges).toList();
        items.forEach(item -> feed.onReleased(item.ranges));
        CompletableFuture<Void> answered = new CompletableFuture<>();
        requests.ask(
                // Another session of the connection may have been lent it: see AssignedMessages.
                corr -> new Release(corr, feed.session(), feed.consumer(), feed.partition(), leaderEpoch, ranges),
                new ReplyHandler() {
                    @Override
                    public void onAnswer(AnswerFrame answer) {
                        finish();
                    }

                    // Whatever the reason, the messages are not lent to us any more.
                    @Override
                    public void onFailure(LinkException failure) {
                        finish();
                    }

                    private void finish() {
                        items.forEach(item -> item.messages.drop());
                        answered.complete(null);
                    }
                });
        return answered;
    }
}
