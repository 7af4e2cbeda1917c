package io.millrace.log.internal.verify;

import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.segment.SegmentNames;
import io.millrace.wire.record.Crc32c;
import io.millrace.wire.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Writes a segment as planned: whole batches stay byte for byte, holes become batches without records, and their bytes go aside. */
final class SegmentMending {
    /** Suffix of a file with bytes that were taken out of a log; nothing reads it but people. */
    static final String DAMAGED_SUFFIX = ".damaged";

    private static final int CHUNK_BYTES = 256 * 1024;

    private final FileCache cache;
    private final Path directory;
    private final SegmentPlan plan;
    private final Supplier<EpochHistory> epochs;
    private final Consumer<String> done;

    SegmentMending(
            FileCache cache, Path directory, SegmentPlan plan, Supplier<EpochHistory> epochs, Consumer<String> done) {
        this.cache = cache;
        this.directory = directory;
        this.plan = plan;
        this.epochs = epochs;
        this.done = done;
    }

    void run() throws IOException {
        SegmentSurvey survey = plan.survey();
        if (!plan.fills().isEmpty()) {
            rewrite();
        } else if (plan.keptBytes() < survey.sizeBytes()) {
            cutOff(survey, plan.keptBytes(), done);
        }
        if (plan.isFilledAtEnd()) {
            LogFile file = new LogFile(cache, survey.file().path());
            write(file, emptyBatches(plan.keptOffset(), plan.fillTo()));
            file.force();
            file.close();
            removeIndexes(directory, plan.baseOffset());
            done.accept("went on at offset " + plan.fillTo() + " in " + survey.file());
        }
    }

    private void rewrite() throws IOException {
        SegmentSurvey survey = plan.survey();
        Path path = survey.file().path();
        Path unfinished = path.resolveSibling(DurableFiles.name(path) + DurableFiles.TEMPORARY_SUFFIX);
        LogFile target = new LogFile(cache, unfinished);
        target.create();
        int position = 0;
        for (SegmentSurvey.Hole hole : plan.fills()) {
            copy(survey.file(), position, hole.from(), target);
            saveAside(survey.file(), hole.from(), hole.to(), done);
            write(target, emptyBatches(hole.firstOffset(), hole.nextOffset()));
            position = hole.to();
        }
        copy(survey.file(), position, plan.keptBytes(), target);
        if (plan.keptBytes() < survey.sizeBytes()) {
            saveAside(survey.file(), plan.keptBytes(), survey.sizeBytes(), done);
        }
        target.force();
        target.close();
        survey.file().close();
        removeIndexes(directory, plan.baseOffset());
        DurableFiles.move(unfinished, path);
        DurableFiles.forceDirectory(directory);
        done.accept("took " + plan.fills().size() + " damaged part(s) out of " + path);
    }

    /** Index entries say where batches are, which has changed. */
    private static void removeIndexes(Path directory, long baseOffset) throws IOException {
        for (String suffix : List.of(SegmentNames.OFFSET_INDEX, SegmentNames.TIME_INDEX)) {
            Files.deleteIfExists(SegmentNames.file(directory, baseOffset, suffix));
        }
    }

    private static void copy(LogFile from, int start, int end, LogFile to) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        for (int at = start; at < end; at += chunk.limit()) {
            chunk.clear().limit(Math.min(CHUNK_BYTES, end - at));
            from.read(chunk, at);
            chunk.flip();
            if (chunk.limit() == 0) {
                throw new IOException(from + " became shorter while it was copied");
            }
            write(to, chunk.duplicate());
        }
    }

    private static void write(LogFile file, ByteBuffer bytes) throws IOException {
        file.write(bytes, file.sizeBytes());
    }

    /** Keeps bytes that are taken out of a file. */
    private static void saveAside(LogFile file, int from, int to, Consumer<String> done) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(to - from);
        file.read(bytes, from);
        Path aside = file.path().resolveSibling(DurableFiles.name(file.path()) + "." + from + DAMAGED_SUFFIX);
        DurableFiles.replace(aside, bytes.flip());
        done.accept("kept the bytes " + from + ".." + (to - 1) + " of " + file + " in " + aside);
    }

    /** Cuts a file off, and keeps what was there. */
    static void cutOff(SegmentSurvey survey, int keepBytes, Consumer<String> done) throws IOException {
        if (keepBytes < survey.sizeBytes()) {
            saveAside(survey.file(), keepBytes, survey.sizeBytes(), done);
            survey.file().truncate(keepBytes);
            survey.file().force();
            done.accept("cut " + survey.file() + " at position " + keepBytes);
        }
        survey.file().close();
    }

    /** Takes a whole segment out. */
    static void moveAside(FileCache cache, Path directory, long baseOffset, Consumer<String> done) throws IOException {
        removeIndexes(directory, baseOffset);
        Files.deleteIfExists(SegmentNames.file(directory, baseOffset, SegmentNames.TRANSACTION_INDEX));
        Path path = SegmentNames.file(directory, baseOffset, SegmentNames.LOG);
        new LogFile(cache, path).close();
        DurableFiles.move(path, path.resolveSibling(DurableFiles.name(path) + DAMAGED_SUFFIX));
        DurableFiles.forceDirectory(directory);
        done.accept("moved " + path + " aside");
    }

    /** Batches without records for a range of offsets, one for each epoch that it touches. */
    private ByteBuffer emptyBatches(long from, long to) {
        EpochHistory history = epochs.get();
        List<Long> ends = new ArrayList<>();
        history.entries().stream()
                .map(EpochHistory.Entry::startOffset)
                .filter(start -> start > from && start < to)
                .forEach(ends::add);
        ends.add(to);
        ByteBuffer bytes = ByteBuffer.allocate(RecordBatch.HEADER_SIZE * ends.size());
        long first = from;
        for (long end : ends) {
            putEmptyBatch(bytes, first, end, Math.max(0, history.epochAt(first)));
            first = end;
        }
        return bytes.flip();
    }

    private static void putEmptyBatch(ByteBuffer bytes, long first, long end, int epoch) {
        int at = bytes.position();
        bytes.putLong(first)
                .putInt(RecordBatch.HEADER_SIZE - RecordBatch.LOG_OVERHEAD)
                .putInt(epoch)
                .put(RecordBatch.MAGIC_V2)
                .putInt(0)
                .putShort((short) 0)
                .putInt(Math.toIntExact(end - first - 1))
                .putLong(RecordBatch.NO_TIMESTAMP)
                .putLong(RecordBatch.NO_TIMESTAMP)
                .putLong(RecordBatch.NO_PRODUCER_ID)
                .putShort(RecordBatch.NO_PRODUCER_EPOCH)
                .putInt(RecordBatch.NO_SEQUENCE)
                .putInt(0);
        int covered = RecordBatch.HEADER_SIZE - RecordBatch.ATTRIBUTES;
        bytes.putInt(at + RecordBatch.CRC, (int) Crc32c.of(bytes, at + RecordBatch.ATTRIBUTES, covered));
    }
}
