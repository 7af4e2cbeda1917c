package io.millrace.log.internal.verify;

import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.journal.JournalReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the commit journal holds of one log: the next start writes it into the log's files, whatever is there now. */
final class Journaled {
    static final Journaled NOTHING = new Journaled();

    private record Span(long firstOffset, long endOffset) {}

    private final List<Span> spans = new ArrayList<>();
    private long bytes;

    private Journaled() {}

    /**
     * Reads what a start would put into the files.
     *
     * @throws io.millrace.log.DataDirectoryException if the journal is damaged
     */
    static Map<LogKey, Journaled> read(FileCache cache, Path directory) throws IOException {
        Map<LogKey, Journaled> logs = new HashMap<>();
        new JournalReader(cache, directory).read(new JournalReader.Visitor() {
            @Override
            public void onRange(long number, LogKey key, JournalReader.Range range, ByteBuffer batches) {
                Journaled log = logs.computeIfAbsent(key, of -> new Journaled());
                log.spans.add(new Span(range.firstOffset(), range.endOffset()));
                log.bytes += batches.remaining();
            }

            @Override
            public void onForget(long number, LogKey key) {
                logs.remove(key);
            }
        });
        return logs;
    }

    /** Returns up to which offset the journal goes on from {@code offset} without a gap: the same one if it has nothing there. */
    long reach(long offset) {
        long reach = offset;
        // In the order in which they were appended.
        for (Span span : spans) {
            if (span.firstOffset <= reach && span.endOffset > reach) {
                reach = span.endOffset;
            }
        }
        return reach;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        long first = Long.MAX_VALUE;
        long end = 0;
        for (Span span : spans) {
            first = Math.min(first, span.firstOffset);
            end = Math.max(end, span.endOffset);
        }
        return spans.isEmpty() ? "nothing" : "offsets " + first + ".." + (end - 1);
    }
}
