package io.millrace.jms.internal.message;

import com.code_intelligence.jazzer.junit.FuzzTest;
import jakarta.jms.MessageFormatException;
import java.nio.ByteBuffer;

/** Whatever an ObjectMessage carries: with no packages trusted it is refused, or it is made of the values that are always trusted. */
class ObjectFuzzTest {
    private static final byte[] STREAM_HEADER = {(byte) 0xAC, (byte) 0xED, 0, 5};

    /** The input is a serialized object behind the header of the stream. */
    @FuzzTest
    void object(byte[] input) {
        ByteBuffer serialized = ByteBuffer.allocate(STREAM_HEADER.length + input.length);
        serialized.put(STREAM_HEADER).put(input).flip();
        try {
            TrustedObjectInput.read(serialized, TrustedClasses.of(""));
        } catch (MessageFormatException refused) {
            // Fine: the application is told.
        }
    }
}
