package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionIdTest {
    @Test
    void shouldNameItsDirectoryAsKafkaDoes() {
        assertThat(new PartitionId("orders-eu", 12).directoryName()).isEqualTo("orders-eu-12");
        assertThat(PartitionId.fromDirectoryName("orders-eu-12")).contains(new PartitionId("orders-eu", 12));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "a\0b", "ü", "a b", "../x"})
    void shouldRefuseNamesThatAreNoneOfALog(String name) {
        assertThatThrownBy(() -> new PartitionId(name, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseANameThatIsTooLong() {
        assertThat(new PartitionId("x".repeat(249), 0).logName()).hasSize(249);
        assertThatThrownBy(() -> new PartitionId("x".repeat(250), 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders",
                "orders-",
                "-1",
                "orders-01",
                "orders-1x",
                "orders-99999999999",
                "..-1",
                "lost+found",
                "a-1.x-delete"
            })
    void shouldTakeOtherDirectoriesForWhatTheyAre(String directory) {
        assertThat(PartitionId.fromDirectoryName(directory)).isEmpty();
    }
}
