package io.millrace.jms.internal.options;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Whatever somebody gives as the address of a broker: it is refused with a message, or names at least one server. */
class ServiceUrlFuzzTest {
    /** The input is what follows the scheme. */
    @FuzzTest
    void url(byte[] input) {
        String url = "millrace://" + new String(input, ISO_8859_1);
        try {
            assertThat(ServiceUrl.parse(url).addresses()).isNotEmpty();
        } catch (IllegalArgumentException refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        }
    }
}
