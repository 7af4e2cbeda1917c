package io.millrace.log;

import io.millrace.wire.record.Compression;
import java.util.Optional;

/**
 * How the batches of clients are stored.
 *
 * @param codec the codec that all have, or empty if they are stored as they come ({@code producer})
 * @param gzipLevel 1 to 9, or -1 for gzip's own default
 * @param lz4Level 1 to 17
 * @param zstdLevel -131072 to 22
 */
public record CompressionConfig(Optional<Compression> codec, int gzipLevel, int lz4Level, int zstdLevel) {
    /** As they come. */
    public static final CompressionConfig PRODUCER = new CompressionConfig(Optional.empty(), -1, 9, 3);

    /** The level of a codec; it means nothing where the codec has none. */
    public int levelOf(Compression compression) {
        return switch (compression) {
            case NONE, SNAPPY -> 0;
            case GZIP -> gzipLevel;
            case LZ4 -> lz4Level;
            case ZSTD -> zstdLevel;
        };
    }
}
