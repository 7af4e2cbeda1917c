package io.millrace.wire.name;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Whatever somebody calls a destination: the name is refused, or it has one log name that leads back to it and is safe as a directory. */
class NameFuzzTest {
    @FuzzTest
    void destination(byte[] input) {
        String text = new String(input, UTF_16BE);
        try {
            DestinationName name = DestinationName.of(text);
            assertThat(name.logName()).matches("[a-zA-Z0-9._-]{1,249}").isNotIn(".", "..");
            assertThat(DestinationName.fromLogName(name.logName()).jmsName()).isEqualTo(text);
        } catch (InvalidDestinationNameException refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        }
    }

    @FuzzTest
    void log(byte[] input) {
        String text = new String(input, ISO_8859_1);
        try {
            DestinationName name = DestinationName.fromLogName(text);
            assertThat(name.logName()).isEqualTo(text);
        } catch (InvalidDestinationNameException refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        }
    }
}
