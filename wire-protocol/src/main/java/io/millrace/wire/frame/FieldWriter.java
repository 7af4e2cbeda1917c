package io.millrace.wire.frame;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.name.DestinationKind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;

/** Writes the primitives of the protocol. One implementation counts bytes, the other writes them, so a frame states its fields once. */
interface FieldWriter {

    void u8(int value);

    void i16(short value);

    void i32(int value);

    void i64(long value);

    /** Unsigned, 0 to 2^31-1, seven bits a byte, lowest first. */
    void varint(int value);

    /** Its UTF-8 bytes with their count as a varint. */
    void string(String value);

    /** A varint 0 for none, else the count of UTF-8 bytes plus one and the bytes. */
    void nullableString(Optional<String> value);

    void bytes(ByteBuffer value);

    default void bool(boolean value) {
        u8(value ? 1 : 0);
    }

    default void uuid(UUID value) {
        i64(value.getMostSignificantBits());
        i64(value.getLeastSignificantBits());
    }

    default void kind(DestinationKind value) {
        u8(value.id());
    }

    default void kindOrAny(Optional<DestinationKind> value) {
        u8(value.map(DestinationKind::id).orElse(0));
    }

    default void errorCode(ErrorCode value) {
        i16(value.id());
    }

    default <T> void list(List<T> items, BiConsumer<FieldWriter, T> writer) {
        varint(items.size());
        for (T item : items) {
            writer.accept(this, item);
        }
    }
}
