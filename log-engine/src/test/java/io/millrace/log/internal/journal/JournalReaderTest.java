package io.millrace.log.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.log.DataDirectoryException;
import io.millrace.log.LogRole;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.file.FileCache;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A journal of two files, of which a disk that lies about its forces has lost something. */
class JournalReaderTest {
    private static final LogKey KEY = new LogKey(new UUID(3, 4), 0, LogRole.DATA);
    private static final int BLOCK_BYTES = 512;

    private final FakeDisk disk = new FakeDisk(new Random(7));
    private final Path directory = disk.root().resolve("data");
    private final FileCache cache = new FileCache(10);

    /** Two blocks in the first file, one in the second. */
    @BeforeEach
    void write() throws IOException {
        Files.createDirectories(directory);
        write(0, 1, 1, 2);
        write(1, 2, 3);
    }

    private void write(int file, long generation, long... numbers) throws IOException {
        long salt = 70 + generation;
        ByteBuffer content = ByteBuffer.allocate(JournalFormat.FIRST_BLOCK + BLOCK_BYTES * (numbers.length + 1));
        content.put(0, JournalFormat.fileHeader(generation, salt), 0, JournalFormat.FILE_HEADER_BYTES);
        for (int i = 0; i < numbers.length; i++) {
            ByteBuffer block = content.slice(JournalFormat.FIRST_BLOCK + i * BLOCK_BYTES, BLOCK_BYTES);
            block.position(JournalFormat.BLOCK_HEADER_BYTES);
            block.put(JournalFormat.FORGET).put((byte) 0).putInt(KEY.partition());
            block.putLong(KEY.logId().getMostSignificantBits())
                    .putLong(KEY.logId().getLeastSignificantBits());
            JournalFormat.putBlockHeader(block, salt, numbers[i], 1, JournalFormat.FORGET_BYTES);
        }
        byte[] bytes = new byte[content.capacity()];
        content.get(0, bytes);
        Files.write(directory.resolve(JournalFormat.FILE_NAMES.get(file)), bytes);
    }

    private List<Long> read() throws IOException {
        List<Long> numbers = new ArrayList<>();
        new JournalReader(cache, directory).read(new JournalReader.Visitor() {
            @Override
            public void onRange(long number, LogKey key, JournalReader.Range range, ByteBuffer bytes) {}

            @Override
            public void onForget(long number, LogKey key) {
                assertThat(key).isEqualTo(KEY);
                numbers.add(number);
            }
        });
        cache.closeAll();
        return numbers;
    }

    @Test
    void shouldReadBothFilesInTheOrderOfTheirUse() throws IOException {
        assertThat(read()).containsExactly(1L, 2L, 3L);
    }

    /** It was taken for the end, and the block in the other file was left out too. */
    @Test
    void shouldReportThatTheLastBlockOfAFileIsGoneThoughAnotherFileGoesOn() throws IOException {
        write(0, 1, 1);

        assertThatThrownBy(this::read)
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("commit-journal-1 is damaged at position 4096")
                .hasMessageContaining("the number 3, and the one before it 1")
                .hasMessageContaining("restore the directory");
    }

    /** Nothing else knows of it: docs/log-format.md says so. */
    @Test
    void shouldTakeTheJournalAsItIsWhereItsVeryLastBlockIsGone() throws IOException {
        write(1, 2);

        assertThat(read()).containsExactly(1L, 2L);
        assertThat(directory.resolve(SyncedOffsets.FILE_NAME)).doesNotExist();
    }
}
