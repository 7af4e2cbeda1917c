package io.millrace.log.internal.disk;

import io.millrace.log.RetentionResult;
import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.segment.Segment;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the start of a log, and removes the segments below it: at once for readers, and from the disk when the syncer has made the new start
 * durable. On the shard.
 */
final class LogRetention {
    private static final Logger LOG = LoggerFactory.getLogger(LogRetention.class);

    private final LogState state;
    private final LogSync sync;
    private final LogAppends appends;

    LogRetention(LogState state, LogSync sync, LogAppends appends) {
        this.state = state;
        this.sync = sync;
        this.appends = appends;
    }

    /** Removes what is over the limits and not needed. */
    RetentionResult retain(long nowMs, long earliestNeededOffset) {
        state.producers().expire(nowMs, state.config().producerExpirationMs());
        LogView view = state.view();
        long start = new RetentionRule(state.config(), nowMs, earliestNeededOffset).newStart(view);
        try {
            boolean wholeActiveGoes = start == view.offsets().logEndOffset();
            if (wholeActiveGoes
                    || view.active()
                            .isOld(state.config().rollAfterMs(view.active().baseOffset()), nowMs)) {
                appends.rollUnlessEmpty();
            }
            state.view().active().writeIndexes();
        } catch (IOException e) {
            LOG.warn("the index of {} could not be written; it is tried again", state.identity(), e);
        }
        return start <= view.offsets().logStartOffset() ? RetentionResult.NOTHING : startAt(start);
    }

    /** Makes an offset the first one, and removes the segments below it, except the active one. */
    RetentionResult startAt(long offset) {
        LogView view = state.view();
        int count = 0;
        long bytes = 0;
        while (count < view.segments().size() - 1 && view.segments().get(count).nextOffset() <= offset) {
            bytes += view.segments().get(count).sizeBytes();
            count++;
        }
        List<Segment> removed = view.segments().subList(0, count);
        state.publish(view.withStart(offset, count, bytes));
        state.noteStart(offset);
        state.touch();
        sync.requestLazily();
        if (!removed.isEmpty()) {
            long cuts = view.cuts();
            state.context().syncer().later(() -> delete(removed, offset, cuts));
            deleteSnapshots();
        }
        return new RetentionResult(count, bytes);
    }

    /** On the syncer's thread. */
    private void delete(List<Segment> removed, long start, long cuts) {
        DataDirectory directory = state.context().directory();
        if (directory.failure().isPresent()) {
            return;
        }
        try {
            directory.syncedOffsets().removeBelow(state.entry(), cuts, start, () -> {
                for (Segment segment : removed) {
                    segment.delete();
                }
            });
        } catch (IOException e) {
            directory.fail("removing segments of " + state.identity(), e);
        }
    }

    private void deleteSnapshots() {
        try {
            state.snapshots().deleteBelow(state.view().segments().getFirst().baseOffset());
        } catch (IOException e) {
            LOG.warn("producer snapshots of {} cannot be removed; the next start tries again", state.identity(), e);
        }
    }
}
