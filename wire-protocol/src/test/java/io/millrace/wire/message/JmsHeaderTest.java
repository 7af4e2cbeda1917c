package io.millrace.wire.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JmsHeaderTest {
    private static byte[] header(MessageId id, CorrelationId correlationId) {
        return HeaderEncoder.encode(Message.builder(MessageBody.text("x"))
                .id(id)
                .correlationId(correlationId)
                .timestampDisabled(true)
                .persistent(false)
                .priority(0)
                .expirationMs(Long.MAX_VALUE)
                .deliveryTimeMs(1)
                .replyTo(new ReplyTo(ReplyTo.Kind.TOPIC, "t"))
                .type("type")
                .groupId("g")
                .groupSequence(3)
                .property("one", 1)
                .property("two", 2.0)
                .build());
    }

    private static StoredMessage read(byte[] header) {
        return MessageRecords.read(TestRecords.withJmsHeader(header), TestRecords.TEXT_ORIGIN);
    }

    @Test
    void shouldFindEveryTruncation() {
        byte[] withClientId = header(new MessageId.Client(new UUID(1, 2), 300), new CorrelationId.Text("c"));
        byte[] withPosition = header(
                new MessageId.Position(new UUID(1, 2), 300, 70_000), new CorrelationId.Bytes(ByteBuffer.allocate(3)));
        byte[] withText = header(new MessageId.Text("ID:x"), new CorrelationId.Text(""));

        for (byte[] header : new byte[][] {withClientId, withPosition, withText}) {
            for (int length = 0; length < header.length; length++) {
                byte[] cut = Arrays.copyOf(header, length);
                assertThatExceptionOfType(MalformedMessageException.class)
                        .as("first %s of %s bytes", length, header.length)
                        .isThrownBy(() -> read(cut))
                        .withMessageStartingWith("malformed jms header: ");
            }
            assertThat(read(header).type()).contains("type");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "02 01 0000                 | its version is 2, only 1 is known",
                "68656c6c6f                 | its version is 104",
                "01 06 0000                 | body type is 6",
                "01 01 0000 00              | bytes left after its end: 1",
                "01 01 0008 0a              | priority is 10",
                "01 01 0010 8000000000000000 | expiration is -9223372036854775808",
                "01 01 0020 ffffffffffffffff | delivery time is -1",
                "01 01 00c0                 | several message ids",
                "01 01 0600                 | several correlation ids",
                "01 01 0040 00000000000000000000000000000000 ffffffffffffffffff01 | counter of the message id is 1844",
                "01 01 0080 00000000000000000000000000000000 8080808008 00 | partition of the message id is 2147483648",
                "01 01 0100 ffffffff0f      | length of message id is 4294967295, but only 0 bytes follow",
                "01 01 0800 00 0161         | reply-to kind is 0",
                "01 01 1000 05 61           | length of type is 5, but only 1 bytes follow",
                "01 01 4000 ffffffff07 0901 | number of property types is 2147483647, but only 2 bytes follow",
                "01 01 4000 01 0b00         | type of a property is 11",
                "01 01 4000 01 0400         | a property is of type CHAR",
                "01 01 8000 ff01 0000       | number of extensions is 255",
                "01 01 8000 01 07 ff        | it ends within length of an extension",
            })
    void shouldNameTheDamage(String hex, String expected) {
        byte[] header = HexFormat.of().parseHex(hex.replace(" ", ""));

        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> read(header))
                .withMessageStartingWith("malformed jms header: ")
                .withMessageContaining(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "01 01 0100 01ff | message id is not UTF-8",
                "01 01 0200 01ff | correlation id is not UTF-8",
                "01 01 0800 01 00 | reply-to name is empty",
                "01 01 1000 01ff | type is not UTF-8",
                "01 01 4000 01 0501ff | name of a typed property is not UTF-8"
            })
    void shouldNameDamagedStringsWhenTheyAreRead(String hex, String expected) {
        StoredMessage read = read(HexFormat.of().parseHex(hex.replace(" ", "")));

        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(read::toMessage)
                .withMessageContaining(expected);
    }

    @Test
    void shouldSkipExtensionsItDoesNotKnow() {
        byte[] header = HexFormat.of().parseHex("0101" + "9000" + "0163" + "02" + "0703616263" + "808001" + "00");

        assertThat(read(header).type()).contains("c");
    }

    @Test
    void shouldEndWithAMessageOrAClearExceptionWhateverTheBytes() {
        byte[] good = header(new MessageId.Client(new UUID(1, 2), 300), new CorrelationId.Text("c"));
        Random random = new Random(20_261_129);
        int malformed = 0;

        for (int round = 0; round < 20_000; round++) {
            byte[] header = good.clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                header[random.nextInt(header.length)] = (byte) random.nextInt(256);
            }
            try {
                read(header).toMessage();
            } catch (MalformedMessageException expected) {
                malformed++;
            }
        }

        assertThat(malformed).isBetween(1_000, 19_999);
    }
}
