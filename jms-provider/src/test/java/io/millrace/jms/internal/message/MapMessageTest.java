package io.millrace.jms.internal.message;

import static io.millrace.jms.internal.message.Trips.FACTORY;
import static io.millrace.jms.internal.message.Trips.names;
import static io.millrace.jms.internal.message.Trips.receive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.millrace.wire.message.MessageBody;
import io.millrace.wire.message.MessageRecords;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordHeader;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;

/** Jakarta Messaging 3.1, section 3.11: maps. */
@NullUnmarked // applications may pass null anywhere
class MapMessageTest {
    private final MapMessage message = FACTORY.createMapMessage();

    private interface Setter {
        void set(String name) throws JMSException;
    }

    private static List<Setter> setters(MapMessage of) {
        return List.of(
                name -> of.setBoolean(name, true),
                name -> of.setByte(name, (byte) 1),
                name -> of.setShort(name, (short) 1),
                name -> of.setChar(name, '1'),
                name -> of.setInt(name, 1),
                name -> of.setLong(name, 1),
                name -> of.setFloat(name, 1),
                name -> of.setDouble(name, 1),
                name -> of.setString(name, "1"),
                name -> of.setBytes(name, new byte[1]),
                name -> of.setBytes(name, new byte[1], 0, 1),
                name -> of.setObject(name, 1));
    }

    /** 3.11.3, table 3-7. */
    @TestFactory
    List<DynamicTest> shouldConvertAsTheTableSays() {
        byte[] bytes = {1, 2};
        return new ConversionTable()
                .column("boolean", value -> with(value).getBoolean("e"))
                .column("byte", value -> with(value).getByte("e"))
                .column("short", value -> with(value).getShort("e"))
                .column("char", value -> with(value).getChar("e"))
                .column("int", value -> with(value).getInt("e"))
                .column("long", value -> with(value).getLong("e"))
                .column("float", value -> with(value).getFloat("e"))
                .column("double", value -> with(value).getDouble("e"))
                .column("String", value -> with(value).getString("e"))
                .column("byte[]", value -> with(value).getBytes("e"))
                .row(true, Map.of("boolean", true, "String", "true"))
                .row((byte) 5, Map.of("byte", (byte) 5, "short", (short) 5, "int", 5, "long", 5L, "String", "5"))
                .row((short) 5, Map.of("short", (short) 5, "int", 5, "long", 5L, "String", "5"))
                .row('c', Map.of("char", 'c', "String", "c"))
                .row(5, Map.of("int", 5, "long", 5L, "String", "5"))
                .row(5L, Map.of("long", 5L, "String", "5"))
                .row(0.1f, Map.of("float", 0.1f, "double", (double) 0.1f, "String", "0.1"))
                .row(0.1, Map.of("double", 0.1, "String", "0.1"))
                .row(
                        "7",
                        Map.of(
                                "boolean", false, "byte", (byte) 7, "short", (short) 7, "int", 7, "long", 7L, "float",
                                7f, "double", 7d, "String", "7"))
                .row(bytes, Map.of("byte[]", bytes))
                .tests();
    }

    private static MapMessage with(Object value) throws JMSException {
        MapMessage message = FACTORY.createMapMessage();
        message.setObject("e", value);
        return receive(message);
    }

    /** 3.11.3: a name that was not set is handled as null is. */
    @Test
    void shouldReadNullAsTheTypesDo() throws JMSException {
        message.setString("nothing", null);
        MapMessage received = receive(message);

        for (String name : new String[] {"missing", "nothing"}) {
            assertThat(received.getBoolean(name)).isFalse();
            assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> received.getByte(name));
            assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> received.getShort(name));
            assertThatNullPointerException().isThrownBy(() -> received.getChar(name));
            assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> received.getInt(name));
            assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> received.getLong(name));
            assertThatNullPointerException().isThrownBy(() -> received.getFloat(name));
            assertThatNullPointerException().isThrownBy(() -> received.getDouble(name));
            assertThat(received.getString(name)).isNull();
            assertThat(received.getBytes(name)).isNull();
            assertThat(received.getObject(name)).isNull();
        }
        assertThat(received.itemExists("nothing")).isTrue();
        assertThat(received.itemExists("missing")).isFalse();
    }

    /** MapMessage: names must be neither null nor empty. */
    @ParameterizedTest
    @NullAndEmptySource
    void shouldRefuseNames(String name) {
        for (Setter setter : setters(message)) {
            assertThatIllegalArgumentException().isThrownBy(() -> setter.set(name));
        }
    }

    @Test
    void shouldRefuseValuesOfOtherClasses() {
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> message.setObject("e", List.of()))
                .withMessageContaining("'e'");
    }

    @Test
    void shouldTakePartsOfArrays() throws JMSException {
        message.setBytes("part", new byte[] {1, 2, 3}, 1, 1);

        assertThat(receive(message).getBytes("part")).containsExactly(2);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> message.setBytes("part", new byte[3], 2, 2));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> message.setBytes("part", new byte[3], -1, 2));
    }

    /** 3.12: what is set and got is a copy. */
    @Test
    void shouldCopyArraysInAndOut() throws JMSException {
        byte[] bytes = {1};
        message.setBytes("set", bytes);
        message.setObject("object", bytes);
        bytes[0] = 2;
        message.getBytes("set")[0] = 3;
        ((byte[]) message.getObject("object"))[0] = 4;
        ((byte[]) message.getBody(Map.class).get("set"))[0] = 5;

        assertThat(message.getBytes("set")).containsExactly(1);
        assertThat(message.getBytes("object")).containsExactly(1);
    }

    @Test
    void shouldIterateOverNames() throws JMSException {
        for (Setter setter : setters(message)) {
            setter.set("a");
        }
        message.setObject("b", null);

        assertThat(names(receive(message).getMapNames())).containsExactlyInAnyOrder("a", "b");
    }

    /** 3.11.2; MapMessage: after clearBody it can be both read and written. */
    @Test
    void shouldBeReadOnlyAfterReceivingUntilItIsCleared() throws JMSException {
        message.setInt("a", 1);
        MapMessage received = receive(message);

        for (Setter setter : setters(received)) {
            assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> setter.set("a"));
        }
        assertThat(received.getInt("a")).isEqualTo(1);

        received.clearBody();
        assertThat(received.itemExists("a")).isFalse();
        for (Setter setter : setters(received)) {
            setter.set("b");
        }
        assertThat(received.getInt("b")).isEqualTo(1);
    }

    /** Message.getBody: Map or Object only. */
    @Test
    void shouldGiveItsBody() throws JMSException {
        message.setInt("a", 1);
        MapMessage received = receive(message);

        assertThat((Object) received.getBody(Map.class)).isEqualTo(Map.of("a", 1));
        assertThat(received.getBody(Object.class)).isEqualTo(Map.of("a", 1));
        assertThat(received.isBodyAssignableTo(Map.class)).isTrue();
        for (Class<?> type : new Class<?>[] {HashMap.class, String.class}) {
            assertThat(received.isBodyAssignableTo(type)).isFalse();
            assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> received.getBody(type));
        }
    }

    @Test
    void shouldGiveNothingWithoutABody() throws JMSException {
        MapMessage received = receive(message);

        assertThat(received.isBodyAssignableTo(String.class)).isTrue();
        assertThat(received.getBody(String.class)).isNull();
    }

    @Test
    void shouldSayThatABodyIsDamaged() throws JMSException {
        byte[] header = MessageRecords.encode(io.millrace.wire.message.Message.builder(MessageBody.map(Map.of()))
                        .build())
                .headers()
                .get(0)
                .value();
        RecordBatchBuilder batch = new RecordBatchBuilder(1 << 16, 1 << 20);
        batch.tryAppend(0, (byte[]) null, new byte[] {1, 5}, List.of(new RecordHeader("jms", header)));
        MapMessage received =
                (MapMessage) Trips.receive(batch, FACTORY, new Delivery(Trips.QUEUE, 1, Acknowledger.IGNORE));

        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> received.getInt("a"))
                .withMessageContaining("malformed map body");
    }
}
