package io.millrace.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** What people can read of a branch's identity. */
class BranchIdTest {

    private static final String UID = "ff".repeat(28);

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldFindTheNodeInWhatNarayanaMakesUp() {
        assertThat(new BranchId(131_077, UID + hex("orders1"), "00").node()).contains("orders1");
        assertThat(new BranchId(131_077, UID, "00").node()).isEmpty();
        assertThat(new BranchId(131_077, "0a1b", "02").node()).isEmpty();
        assertThat(new BranchId(7, UID + hex("orders1"), "00").node()).isEmpty();
    }

    @Test
    void shouldShowOnlyWhatCanBeRead() {
        assertThat(BranchId.textOf(hex("order 17"))).contains("order 17");
        assertThat(BranchId.textOf("")).isEmpty();
        assertThat(BranchId.textOf(hex("a\u001b[2J"))).isEmpty();
        assertThat(BranchId.textOf(hex("\u00fc"))).isEmpty();
        assertThat(new BranchId(131_077, UID + "07", "").node()).isEmpty();
    }
}
