package io.millrace.log.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {

    @TempDir
    private Path directory;

    @Test
    void shouldTellItsOwnRemovalFromOneBySomebodyElse() throws IOException {
        FileCache cache = new FileCache(1);
        LogFile removed = file(cache, "removed");
        LogFile taken = file(cache, "taken");
        removed.delete();
        taken.close();
        Files.delete(taken.path());

        assertThatThrownBy(() -> removed.read(ByteBuffer.allocate(1), 0)).isInstanceOf(RemovedFileException.class);
        assertThatThrownBy(() -> taken.read(ByteBuffer.allocate(1), 0))
                .isInstanceOf(NoSuchFileException.class)
                .isNotInstanceOf(RemovedFileException.class);
    }

    private LogFile file(FileCache cache, String name) throws IOException {
        LogFile file = new LogFile(cache, directory.resolve(name));
        file.create();
        file.write(ByteBuffer.wrap(new byte[] {1}), 0);
        assertThat(file.sizeBytes()).isEqualTo(1);
        return file;
    }
}
