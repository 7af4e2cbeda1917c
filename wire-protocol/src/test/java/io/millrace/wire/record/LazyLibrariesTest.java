package io.millrace.wire.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What works without snappy-java, lz4-java and zstd-jni on the class path. */
class LazyLibrariesTest {
    @ParameterizedTest
    @ValueSource(strings = {"NONE", "GZIP"})
    void shouldNeedNoLibrary(String compression) throws Exception {
        try (URLClassLoader alone = withoutLibraries()) {
            assertThat(roundTrip(alone, compression).get()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SNAPPY:snappy-java", "LZ4:lz4-java", "ZSTD:zstd-jni"})
    void shouldNameTheMissingLibrary(String compressionAndLibrary) throws Exception {
        String[] parts = compressionAndLibrary.split(":", 2);
        try (URLClassLoader alone = withoutLibraries()) {
            Supplier<Integer> roundTrip = roundTrip(alone, parts[0]);

            assertThatThrownBy(roundTrip::get)
                    .satisfies(e -> assertThat(e.getClass().getName())
                            .isEqualTo(UnsupportedCompressionException.class.getName()))
                    .hasMessageContaining(parts[1]);
        }
    }

    @Test
    void shouldReallyBeWithoutLibraries() throws IOException {
        try (URLClassLoader alone = withoutLibraries()) {
            assertThatThrownBy(() -> alone.loadClass("com.github.luben.zstd.Zstd"))
                    .isInstanceOf(ClassNotFoundException.class);
        }
    }

    /** Runs in the other class loader: one record in, the number of records out. */
    public static final class RoundTrip implements Supplier<Integer> {
        private final Compression compression;

        public RoundTrip(String compression) {
            this.compression = Compression.valueOf(compression);
        }

        @Override
        public Integer get() {
            RecordBatchBuilder builder = new RecordBatchBuilder(1_000, 1_000).compression(compression);
            builder.tryAppend(0, null, new byte[100]);
            ByteBuffer batch = builder.build();
            try (RecordCursor cursor = RecordBatch.at(batch, 0).records()) {
                return cursor.toList().size();
            }
        }
    }

    @SuppressWarnings("unchecked") // the class is RoundTrip, of a class loader that shares only java.base with ours
    private static Supplier<Integer> roundTrip(ClassLoader loader, String compression)
            throws ReflectiveOperationException {
        Class<?> type = loader.loadClass(RoundTrip.class.getName());
        return (Supplier<Integer>) type.getConstructor(String.class).newInstance(compression);
    }

    private static URLClassLoader withoutLibraries() {
        URL[] ours = {location(RecordBatch.class), location(RoundTrip.class)};
        return new URLClassLoader(ours, ClassLoader.getPlatformClassLoader());
    }

    private static URL location(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }
}
