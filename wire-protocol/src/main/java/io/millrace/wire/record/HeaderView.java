package io.millrace.wire.record;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * One header of a record at a time, in place. The record's structure has been checked, so nothing here can run over its end.
 *
 * <p>Headers have no index on the wire: going up reads on from the header before, going back starts at the first one. An index in
 * memory would cost sixteen bytes for headers of as little as two.
 */
final class HeaderView {
    private ByteBuffer view = ByteBuffer.allocate(0);
    private int firstPosition;
    private int count;

    /** The header that the fields below describe, or -1. */
    private int current;

    private int nextPosition;
    private int namePosition;
    private int nameSize;
    private int valuePosition;
    private int valueSize;

    void reset(ByteBuffer view, int firstPosition, int count) {
        this.view = view;
        this.firstPosition = firstPosition;
        this.count = count;
        this.current = -1;
        this.nextPosition = firstPosition;
    }

    void seek(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("header " + index + " of " + count);
        }
        if (index < current) {
            current = -1;
            nextPosition = firstPosition;
        }
        view.position(nextPosition);
        while (current < index) {
            nameSize = Varints.readInt(view);
            namePosition = skip(nameSize);
            valueSize = Varints.readInt(view);
            valuePosition = skip(valueSize);
            current++;
        }
        nextPosition = view.position();
    }

    private int skip(int size) {
        int position = view.position();
        view.position(position + Math.max(0, size));
        return position;
    }

    String name() {
        byte[] name = new byte[nameSize];
        view.get(namePosition, name);
        return new String(name, StandardCharsets.UTF_8);
    }

    boolean nameEquals(byte[] name) {
        if (nameSize != name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            if (view.get(namePosition + i) != name[i]) {
                return false;
            }
        }
        return true;
    }

    int valuePosition() {
        return valuePosition;
    }

    /** Size in bytes, or -1 for no value. */
    int valueSize() {
        return valueSize;
    }
}
