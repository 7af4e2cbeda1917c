package io.millrace.wire.record;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes header names as UTF-8, without a copy for the usual ones, which are ASCII. */
final class HeaderNames {
    private HeaderNames() {}

    static int sizeInBytes(String name) {
        return isAscii(name) ? name.length() : name.getBytes(StandardCharsets.UTF_8).length;
    }

    static void put(String name, ByteBuffer target) {
        if (isAscii(name)) {
            for (int i = 0; i < name.length(); i++) {
                target.put((byte) name.charAt(i));
            }
        } else {
            target.put(name.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static boolean isAscii(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) > 0x7f) {
                return false;
            }
        }
        return true;
    }
}
