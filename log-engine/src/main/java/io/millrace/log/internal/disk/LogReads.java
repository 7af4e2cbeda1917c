package io.millrace.log.internal.disk;

import io.millrace.log.AbortedTransaction;
import io.millrace.log.FileSlice;
import io.millrace.log.LogClosedException;
import io.millrace.log.LogDamagedException;
import io.millrace.log.LogSlice;
import io.millrace.log.OffsetOutOfRangeException;
import io.millrace.log.StorageReadException;
import io.millrace.log.TimestampedOffset;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.segment.Damage;
import io.millrace.log.internal.segment.Segment;
import io.millrace.log.internal.segment.SegmentReader;
import io.millrace.log.internal.segment.SegmentSlicer;
import io.millrace.wire.record.RecordBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Reads of a log, from any thread, without a lock: a read works on a published view, and if it finds something wrong while the shard cut
 * the log or removed segments meanwhile, it begins again on a newer view.
 */
final class LogReads {
    private final LogIdentity identity;
    private final Supplier<LogView> view;
    private final BooleanSupplier closed;

    LogReads(LogIdentity identity, Supplier<LogView> view, BooleanSupplier closed) {
        this.identity = identity;
        this.view = view;
        this.closed = closed;
    }

    LogSlice read(long offset, int maxBytes, long endOffsetExclusive) {
        return attempt(now -> {
            checkReadable(offset, now);
            long end = Math.min(endOffsetExclusive, now.offsets().logEndOffset());
            if (offset >= end) {
                return LogSlice.empty(offset);
            }
            Segment segment = now.segments().get(now.indexOf(offset));
            Optional<LogSlice> slice = new SegmentReader(segment, now.epochs()).read(offset, maxBytes, end);
            return slice.orElseThrow(() -> Damage.of(
                    segment.log().path(),
                    segment.sizeBytes(),
                    "it ends here, before offset " + offset + ", and the log goes on to offset "
                            + now.offsets().logEndOffset()));
        });
    }

    Optional<FileSlice> slice(long offset, int maxBytes, long endOffsetExclusive) {
        while (true) {
            LogView before = view.get();
            Optional<FileSlice> slice = attempt(now -> sliceOf(now, offset, maxBytes, endOffsetExclusive));
            if (view.get().cuts() == before.cuts()) {
                return slice;
            }
            slice.ifPresent(FileSlice::close);
        }
    }

    private Optional<FileSlice> sliceOf(LogView now, long offset, int maxBytes, long endOffsetExclusive)
            throws IOException {
        checkReadable(offset, now);
        long end = Math.min(endOffsetExclusive, now.offsets().logEndOffset());
        if (offset >= end) {
            return Optional.empty();
        }
        int index = now.indexOf(offset);
        Optional<FileSlice> found = Optional.empty();
        // Where compaction left nothing up to the end of a segment, the next one may have something.
        for (long from = offset; index < now.segments().size() && from < end; index++) {
            Optional<Located> here = locate(now, now.segments().get(index), from, maxBytes, end);
            if (here.isEmpty()) {
                return found;
            }
            boolean better = found.isEmpty() || !here.get().empty();
            (better ? found : here.map(Located::slice)).ifPresent(FileSlice::close);
            found = better ? here.map(Located::slice) : found;
            if (!here.get().empty() || index + 1 == now.segments().size()) {
                return found;
            }
            // Also where what is left of it is more than an answer may hold: nothing up to its end, or the bound, has a
            // record.
            from = now.segments().get(index + 1).baseOffset();
        }
        return found;
    }

    private record Located(FileSlice slice, boolean empty) {}

    private static Optional<Located> locate(LogView now, Segment segment, long offset, int maxBytes, long end)
            throws IOException {
        boolean active = segment == now.active();
        int limit = active ? now.activeBytes() : segment.sizeBytes();
        long limitOffset = active ? now.offsets().logEndOffset() : segment.nextOffset();
        LogFile.Held file = segment.log().hold();
        Optional<Located> result = Optional.empty();
        try {
            result = new SegmentSlicer(segment, now.epochs(), limit, limitOffset)
                    .find(offset, maxBytes, end)
                    .map(found -> new Located(
                            new FileSlice(
                                    file.channel(),
                                    file,
                                    found.position(),
                                    found.bytes(),
                                    found.firstOffset(),
                                    found.nextOffset()),
                            found.empty()));
            return result;
        } finally {
            if (result.isEmpty()) {
                file.close();
            }
        }
    }

    Optional<TimestampedOffset> offsetForTimestamp(long timestampMs) {
        return attempt(now -> firstFrom(now, timestampMs));
    }

    private static Optional<TimestampedOffset> firstFrom(LogView now, long timestampMs) throws IOException {
        long start = now.offsets().logStartOffset();
        for (Segment segment : now.segments()) {
            Optional<TimestampedOffset> found =
                    new SegmentReader(segment, now.epochs()).offsetForTimestamp(timestampMs, start);
            if (found.isPresent() && found.get().offset() < now.offsets().logEndOffset()) {
                return found;
            }
        }
        return Optional.empty();
    }

    Optional<TimestampedOffset> offsetOfMaxTimestamp() {
        return attempt(now -> {
            long largest = RecordBatch.NO_TIMESTAMP;
            for (Segment segment : now.segments()) {
                largest = Math.max(largest, segment.maxTimestampMs());
            }
            Optional<TimestampedOffset> found =
                    largest == RecordBatch.NO_TIMESTAMP ? Optional.empty() : firstFrom(now, largest);
            // Perhaps that record is below the log start, or being appended just now: then the batches themselves tell.
            return found.isPresent() || largest == RecordBatch.NO_TIMESTAMP ? found : latestWithin(now);
        });
    }

    private static Optional<TimestampedOffset> latestWithin(LogView now) throws IOException {
        long largest = RecordBatch.NO_TIMESTAMP;
        for (Segment segment : now.segments()) {
            largest = Math.max(
                    largest,
                    new SegmentReader(segment, now.epochs())
                            .largestTimestampMs(
                                    Math.max(now.offsets().logStartOffset(), segment.baseOffset()),
                                    now.offsets().logEndOffset()));
        }
        return largest == RecordBatch.NO_TIMESTAMP ? Optional.empty() : firstFrom(now, largest);
    }

    List<AbortedTransaction> abortedTransactions(long fromOffset, long endOffsetExclusive) {
        return attempt(now -> {
            List<AbortedTransaction> result = new ArrayList<>();
            for (Segment segment : now.segments()
                    .subList(now.indexOf(fromOffset), now.segments().size())) {
                if (segment.addAbortedTo(result, fromOffset, endOffsetExclusive)) {
                    break;
                }
            }
            return List.copyOf(result);
        });
    }

    OptionalLong batchTimestampAt(long offset) {
        return attempt(now -> {
            if (offset < now.offsets().logStartOffset()
                    || offset >= now.offsets().logEndOffset()) {
                return OptionalLong.empty();
            }
            Segment segment = now.segments().get(now.indexOf(offset));
            return new SegmentReader(segment, now.epochs()).batchTimestampAt(offset);
        });
    }

    private void checkReadable(long offset, LogView now) {
        long start = now.offsets().logStartOffset();
        long end = now.offsets().logEndOffset();
        if (offset < start || offset > end) {
            throw new OffsetOutOfRangeException(identity.toString(), offset, start, end);
        }
    }

    private interface Read<T> {
        T on(LogView view) throws IOException;
    }

    private <T> T attempt(Read<T> read) {
        while (true) {
            if (closed.getAsBoolean()) {
                throw new LogClosedException(identity + " is closed");
            }
            LogView now = view.get();
            try {
                return read.on(now);
            } catch (LogDamagedException e) {
                if (isCurrent(now)) {
                    throw e;
                }
            } catch (IOException e) {
                if (closed.getAsBoolean()) {
                    throw new LogClosedException(identity + " is closed");
                }
                if (isCurrent(now)) {
                    throw new StorageReadException(
                            "reading " + identity + " in " + identity.path() + " failed (" + e + ")", e);
                }
            }
        }
    }

    /** Whether nothing that a view speaks of was changed or removed since. */
    private boolean isCurrent(LogView seen) {
        LogView now = view.get();
        return now.cuts() == seen.cuts()
                && now.segments().getFirst() == seen.segments().getFirst();
    }
}
