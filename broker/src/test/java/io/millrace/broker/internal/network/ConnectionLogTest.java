package io.millrace.broker.internal.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.FakeTimeSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

class ConnectionLogTest {

    private final FakeTimeSource time = new FakeTimeSource();
    private final List<String> lines = new ArrayList<>();
    private final ConnectionLog log = new ConnectionLog(time, new Lines());

    @Test
    void shouldLogOnlySoManyLinesOfAKindInASecondAndSayHowManyItLeftOut() {
        for (int i = 0; i < 1_000; i++) {
            log.info(ConnectionLog.Kind.CLOSED, () -> "closed");
        }
        log.info(ConnectionLog.Kind.CONNECTED, () -> "connected");
        assertThat(lines).hasSize(ConnectionLog.MAX_LINES + 1).last().isEqualTo("connected");

        time.advanceMs(1_000);
        log.info(ConnectionLog.Kind.CLOSED, () -> "closed later");

        assertThat(lines)
                .endsWith(
                        (1_000 - ConnectionLog.MAX_LINES)
                                + " further lines about connections that were closed were left out",
                        "closed later");
    }

    @Test
    void shouldSayWhatItLeftOutThoughNothingMoreHappens() {
        for (int i = 0; i <= ConnectionLog.MAX_LINES; i++) {
            log.warn(ConnectionLog.Kind.REFUSED, () -> "refused");
        }
        log.flush();
        assertThat(lines).hasSize(ConnectionLog.MAX_LINES);

        time.advanceMs(1_000);
        log.flush();
        log.flush();

        assertThat(lines)
                .hasSize(ConnectionLog.MAX_LINES + 1)
                .last()
                .isEqualTo("1 further lines about connections that were refused were left out");
    }

    /** Keeps what is logged. */
    private final class Lines extends LegacyAbstractLogger {

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                Object @Nullable [] arguments,
                @Nullable Throwable cause) {
            lines.add(String.valueOf(MessageFormatter.basicArrayFormat(pattern, arguments)));
        }

        @Override
        public boolean isTraceEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }
    }
}
