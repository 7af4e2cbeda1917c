package io.millrace.jms.internal.consumer;

import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.Release;
import io.millrace.wire.frame.ReleasedRanges;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Gives messages of one session back to the server. Confined to the loop. */
final class Releases {

    private static final int MAX_ITEMS = 1_000;

    private final FeedSession session;
    private final UnansweredRequests requests;

    Releases(FeedSession session, UnansweredRequests requests) {
        this.session = session;
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

    private static void collect(
            Collection<HeldMessage> messages, boolean seen, Map<PartitionFeed, List<Item>> byPartition) {
        HeldSet set = new HeldSet();
        for (HeldMessage message : messages) {
            if (message.acquisition().holds(message.index())) {
                set.add(message);
            }
        }
        set.byAcquisition().forEach((acquisition, indexes) -> {
            HeldSet part = new HeldSet();
            part.byAcquisition().put(acquisition, indexes);
            ReleasedRanges ranges = new ReleasedRanges(acquisition.id(), acquisition.ranges(indexes), seen);
            byPartition
                    .computeIfAbsent(acquisition.feed(), missing -> new ArrayList<>())
                    .add(new Item(acquisition, part, ranges));
        });
    }

    private CompletableFuture<Void> send(PartitionFeed feed, List<Item> items) {
        int leaderEpoch = items.get(0).acquisition.leaderEpoch();
        List<ReleasedRanges> ranges = items.stream().map(Item::ranges).toList();
        items.forEach(item -> feed.onReleased(item.ranges));
        CompletableFuture<Void> answered = new CompletableFuture<>();
        requests.ask(
                corr -> new Release(corr, session.number(), feed.consumer(), feed.partition(), leaderEpoch, ranges),
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
