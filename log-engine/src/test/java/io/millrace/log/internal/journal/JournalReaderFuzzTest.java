package io.millrace.log.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.log.DataDirectoryException;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.file.FileCache;
import io.millrace.testkit.disk.FakeDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Whatever the files of a commit journal hold: they are refused with a {@link DataDirectoryException} that names the file, or what comes
 * out of them can be written into the files of logs.
 */
class JournalReaderFuzzTest {
    private static final int MAX_BYTES = 16 * 1024;
    private static final long SALT = 77;

    /**
     * Blocks whose checksums are right. The input is a script: for each block a byte of flags, its number, how many entries and how many
     * bytes it has, and these.
     */
    @FuzzTest
    void blocks(byte[] script) throws IOException {
        if (script.length > MAX_BYTES) {
            return;
        }
        ByteBuffer[] files = {file(1), file(2)};
        for (ByteBuffer in = ByteBuffer.wrap(script); in.remaining() >= 5; ) {
            int flags = in.get();
            long number = in.get();
            int entries = in.get();
            byte[] body = new byte[Math.min(Short.toUnsignedInt(in.getShort()), in.remaining())];
            in.get(body);
            ByteBuffer file = files[flags & 1];
            ByteBuffer block = file.slice();
            block.put(JournalFormat.BLOCK_HEADER_BYTES, body);
            JournalFormat.putBlockHeader(block, (flags & 6) == 6 ? 1 : SALT, number, entries, body.length);
            file.position(
                    file.position() + (int) JournalFormat.aligned(JournalFormat.BLOCK_HEADER_BYTES + body.length));
            if ((flags & 0x78) == 0x78) {
                // Of an earlier use, or torn.
                block.put(JournalFormat.BLOCK_HEADER_BYTES + body.length / 2, (byte) (flags + 1));
            }
            if (file.remaining() < 80_000) {
                break;
            }
        }
        read(content(files[0]), content(files[1]));
    }

    private static ByteBuffer file(long generation) {
        ByteBuffer file = ByteBuffer.allocate(1 << 20);
        file.put(JournalFormat.fileHeader(generation, SALT));
        return file.position(JournalFormat.FIRST_BLOCK);
    }

    private static byte[] content(ByteBuffer file) {
        byte[] content = new byte[file.position() + JournalFormat.ALIGNMENT];
        file.get(0, content);
        return content;
    }

    /** The bytes of a file as they are, behind a header that is right. */
    @FuzzTest
    void rawFile(byte[] input) throws IOException {
        if (input.length > MAX_BYTES) {
            return;
        }
        ByteBuffer file = file(1);
        file.put(input);
        read(content(file), input);
    }

    private static void read(byte[]... files) throws IOException {
        FakeDisk disk = new FakeDisk(new Random(7));
        Path directory = disk.root().resolve("data");
        Files.createDirectories(directory);
        for (int i = 0; i < files.length; i++) {
            Files.write(directory.resolve(JournalFormat.FILE_NAMES.get(i)), files[i]);
        }
        FileCache cache = new FileCache(10);
        try {
            Checking checking = new Checking();
            long blocks = new JournalReader(cache, directory).read(checking);
            assertThat(checking.blocks).isLessThanOrEqualTo(blocks);
        } catch (DataDirectoryException refused) {
            assertThat(refused.getMessage()).contains("commit-journal-");
        }
    }

    /** Holds what it is given against what may be written into a log's file. */
    private static final class Checking implements JournalReader.Visitor {
        private long number = Long.MIN_VALUE;
        private long blocks;

        @Override
        public void onRange(long blockNumber, LogKey key, JournalReader.Range range, ByteBuffer bytes) {
            onBlock(blockNumber);
            assertThat(range.segment()).isBetween(0L, range.firstOffset());
            assertThat(range.endOffset()).isGreaterThan(range.firstOffset());
            assertThat(range.position()).isNotNegative();
            assertThat(bytes.remaining()).isPositive();
            assertThat((long) range.position() + bytes.remaining()).isLessThanOrEqualTo(Integer.MAX_VALUE);
        }

        @Override
        public void onForget(long blockNumber, LogKey key) {
            onBlock(blockNumber);
        }

        private void onBlock(long blockNumber) {
            if (blockNumber != number) {
                assertThat(blockNumber).isGreaterThan(number);
                number = blockNumber;
                blocks++;
            }
        }
    }
}
