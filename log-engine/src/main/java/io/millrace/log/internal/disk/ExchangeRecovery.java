package io.millrace.log.internal.disk;

import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.segment.Damage;
import io.millrace.log.internal.segment.Segment;
import io.millrace.log.internal.segment.SegmentNames;
import io.millrace.log.internal.segment.SegmentScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends an exchange of segments that a crash has interrupted: a segment called {@code .swap} takes the place of those whose offsets it covers,
 * one called {@code .cleaned} goes. Done again after another crash, it comes to the same end.
 */
final class ExchangeRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(ExchangeRecovery.class);

    private static final List<String> INDEXES =
            List.of(SegmentNames.OFFSET_INDEX, SegmentNames.TIME_INDEX, SegmentNames.TRANSACTION_INDEX);

    private final FileCache cache;
    private final Path directory;

    ExchangeRecovery(FileCache cache, Path directory) {
        this.cache = cache;
        this.directory = directory;
    }

    /**
     * Does it, if there is anything to do.
     *
     * @throws io.millrace.log.LogDamagedException if a segment that was durable is not whole
     */
    void run() throws IOException {
        List<Path> files = DurableFiles.list(directory);
        boolean changed = false;
        for (Path file : files) {
            OptionalLong base = SegmentNames.offsetOf(file, SegmentNames.LOG + SegmentNames.SWAP);
            if (base.isPresent()) {
                complete(base.getAsLong(), files);
                changed = true;
            }
        }
        for (Path file : files) {
            String name = DurableFiles.name(file);
            // An index that is left as .swap without its log belongs to an exchange that had not begun to count.
            if (name.endsWith(SegmentNames.CLEANED) || name.endsWith(SegmentNames.SWAP)) {
                changed |= Files.deleteIfExists(file);
            }
        }
        if (changed) {
            DurableFiles.forceDirectory(directory);
        }
    }

    private void complete(long base, List<Path> files) throws IOException {
        LogFile swap = new LogFile(cache, SegmentNames.file(directory, base, SegmentNames.LOG + SegmentNames.SWAP));
        SegmentScanner.Result scanned = new SegmentScanner(swap)
                .scan(0, Math.toIntExact(swap.sizeBytes()), base, 0, (header, position, marker) -> true);
        if (scanned.problem() != null) {
            throw Damage.of(swap.path(), scanned.endPosition(), scanned.problem());
        }
        long end = scanned.nextOffset();
        for (Path file : files) {
            OptionalLong old = SegmentNames.offsetOf(file, SegmentNames.LOG);
            if (old.isPresent() && old.getAsLong() >= base && old.getAsLong() < end) {
                Segment.remove(cache, directory, old.getAsLong());
            }
        }
        for (String index : INDEXES) {
            Path from = SegmentNames.file(directory, base, index + SegmentNames.SWAP);
            if (Files.exists(from)) {
                DurableFiles.move(from, SegmentNames.file(directory, base, index));
            }
        }
        swap.moveTo(SegmentNames.file(directory, base, SegmentNames.LOG));
        swap.close();
        LOG.atInfo()
                .addKeyValue("event", "exchange_completed")
                .addKeyValue("file", swap)
                .addKeyValue("nextOffset", end)
                .log(
                        "Completed the exchange of segments for a compacted one, which the last end of the broker had interrupted");
    }
}
