package io.millrace.wire.message;

import static io.millrace.wire.message.TestRecords.BYTES_ORIGIN;
import static io.millrace.wire.message.TestRecords.throughBatch;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** Any message comes back as it was, by every way of reading. A failure prints the seed that makes the message again. */
class AnyMessageTest {
    @Property(tries = 2_000)
    void shouldComeBackAsItWas(@ForAll long seed) {
        Message message = new AnyMessage(new Random(seed)).next();

        RecordCursor cursor = throughBatch(message);
        StoredMessage view = MessageRecords.read(cursor, BYTES_ORIGIN);
        StoredMessage copy = MessageRecords.readCopy(cursor, BYTES_ORIGIN);
        StoredMessage ofRecord = MessageRecords.read(cursor.toRecord(), BYTES_ORIGIN);

        assertThat(view.toMessage()).isEqualTo(message);
        assertThat(copy.toMessage()).isEqualTo(message);
        assertThat(ofRecord.toMessage()).isEqualTo(message);
        assertThat(MessageRecords.deliveryFields(cursor)).isEqualTo(view.delivery());
        message.properties().forEach((name, value) -> {
            assertThat(view.property(name).orElse(null)).isEqualTo(value);
            assertThat(ofRecord.property(name).orElse(null)).isEqualTo(value);
        });
    }

    @Property(tries = 2_000)
    void shouldBringBackTypedBodies(@ForAll long seed) {
        AnyMessage any = new AnyMessage(new Random(seed));
        Map<String, @Nullable Object> entries = any.entries();
        List<@Nullable Object> items = new ArrayList<>(entries.values());

        assertThat(MessageBody.map(entries).map().values().toArray())
                .isEqualTo(entries.values().toArray());
        assertThat(MessageBody.map(entries).map().keySet()).containsExactlyElementsOf(entries.keySet());
        assertThat(MessageBody.stream(items).stream().toArray()).isEqualTo(items.toArray());
    }

    /** Makes messages of chance, with a liking for the edges. */
    private record AnyMessage(Random random) {
        Message next() {
            MessageBuilder builder = Message.builder(body()).timestampMs(random.nextLong(1L << 43));
            if (random.nextBoolean()) {
                builder.id(id());
            }
            if (random.nextBoolean()) {
                builder.persistent(random.nextBoolean())
                        .timestampDisabled(random.nextBoolean())
                        .priority(random.nextInt(10))
                        .expirationMs(number() & Long.MAX_VALUE)
                        .deliveryTimeMs(number() & Long.MAX_VALUE);
            }
            if (random.nextBoolean()) {
                builder.correlationId(
                        random.nextBoolean() ? new CorrelationId.Text(text()) : new CorrelationId.Bytes(bytes()));
            }
            if (random.nextBoolean()) {
                ReplyTo.Kind[] kinds = ReplyTo.Kind.values();
                builder.replyTo(new ReplyTo(kinds[random.nextInt(kinds.length)], "r" + text()));
            }
            if (random.nextBoolean()) {
                builder.type(text()).groupId(text()).groupSequence(random.nextInt());
            }
            for (int left = random.nextInt(6); left > 0; left--) {
                builder.property(name(), property());
            }
            return builder.build();
        }

        Map<String, @Nullable Object> entries() {
            Map<String, @Nullable Object> entries = new LinkedHashMap<>();
            for (int left = random.nextInt(8); left > 0; left--) {
                entries.put(text(), value());
            }
            return entries;
        }

        private MessageBody body() {
            return switch (random.nextInt(8)) {
                case 0 -> MessageBody.plain();
                case 1 -> MessageBody.absentText();
                case 2 -> MessageBody.text(text());
                case 3 -> MessageBody.bytes(bytes());
                case 4 -> MessageBody.map(entries());
                case 5 -> MessageBody.stream(new ArrayList<>(entries().values()));
                case 6 -> MessageBody.object(bytes());
                default -> MessageBody.absentObject();
            };
        }

        private MessageId id() {
            UUID uuid = new UUID(random.nextLong(), random.nextLong());
            return switch (random.nextInt(3)) {
                case 0 -> new MessageId.Client(uuid, number() & Long.MAX_VALUE);
                case 1 -> new MessageId.Position(uuid, random.nextInt() >>> 1, number() & Long.MAX_VALUE);
                default -> new MessageId.Text(text());
            };
        }

        private String name() {
            String[] starts = {"jms", "jms_", "_", "$", "a", "ä", "JMS_x", "x"};
            return starts[random.nextInt(starts.length)] + (random.nextBoolean() ? "" : random.nextInt(3));
        }

        private @Nullable Object property() {
            return switch (random.nextInt(9)) {
                case 0 -> null;
                case 1 -> random.nextBoolean();
                case 2 -> (byte) random.nextInt();
                case 3 -> (short) random.nextInt();
                case 4 -> (int) number();
                case 5 -> number();
                // not by bits: the text of a NaN does not say which one
                case 6 -> random.nextFloat() * (float) Math.pow(10, random.nextInt(80) - 40);
                case 7 -> random.nextDouble() * Math.pow(10, random.nextInt(640) - 320);
                default -> text();
            };
        }

        private @Nullable Object value() {
            return switch (random.nextInt(12)) {
                case 0 -> (char) random.nextInt();
                case 1 -> TestRecords.bytes(bytes());
                case 2 -> Float.intBitsToFloat(random.nextInt());
                case 3 -> Double.longBitsToDouble(random.nextLong());
                default -> property();
            };
        }

        private long number() {
            return random.nextLong() >> random.nextInt(64);
        }

        private String text() {
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(10); left > 0; left--) {
                switch (random.nextInt(4)) {
                    case 0 -> text.append((char) random.nextInt());
                    case 1 -> text.append((char) (0xD800 + random.nextInt(0x800)));
                    case 2 -> text.appendCodePoint(0x10000 + random.nextInt(0x10000));
                    default -> text.append((char) ('a' + random.nextInt(26)));
                }
            }
            return text.toString();
        }

        private ByteBuffer bytes() {
            byte[] bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            return ByteBuffer.wrap(bytes);
        }
    }
}
