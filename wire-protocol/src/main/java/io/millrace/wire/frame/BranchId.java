package io.millrace.wire.frame;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The identity of a branch of a distributed transaction, as its transaction manager made it up (an Xid). Hexadecimal here, bytes on the wire.
 *
 * @param formatId what kind of bytes they are; -1 is the null Xid, which names no branch
 * @param globalTransactionId which transaction, 0 to {@value #MAX_PART_BYTES} bytes in lower-case hexadecimal
 * @param branchQualifier which branch of it, as long at most
 */
public record BranchId(int formatId, String globalTransactionId, String branchQualifier) {

    /** Bytes of each part at most. */
    public static final int MAX_PART_BYTES = 64;

    private static final int NULL_FORMAT = -1;
    private static final int NARAYANA_FORMAT = 131_077;
    private static final int NARAYANA_UID_BYTES = 28;

    /** Checks the ranges. */
    public BranchId {
        FieldChecks.require(formatId != NULL_FORMAT, "formatId", "must not be -1, the null Xid");
        checkPart(globalTransactionId, "globalTransactionId");
        checkPart(branchQualifier, "branchQualifier");
    }

    private static void checkPart(String hex, String field) {
        FieldChecks.require(
                hex.length() <= 2 * MAX_PART_BYTES,
                field,
                "must have at most " + MAX_PART_BYTES + " bytes, has " + hex.length() / 2);
        FieldChecks.require(
                hex.length() % 2 == 0 && hex.chars().allMatch(BranchId::isLowerCaseHex),
                field,
                "must be lower-case hexadecimal");
    }

    private static boolean isLowerCaseHex(int character) {
        return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'f');
    }

    /**
     * Returns which program's transaction manager made it up, if that is Narayana's, which writes the name of its node behind 28 bytes that are
     * different each time.
     */
    public Optional<String> node() {
        return formatId == NARAYANA_FORMAT && globalTransactionId.length() > 2 * NARAYANA_UID_BYTES
                ? textOf(globalTransactionId.substring(2 * NARAYANA_UID_BYTES))
                : Optional.empty();
    }

    /** Returns bytes in hexadecimal as the text that they are, or empty if it cannot be read. */
    public static Optional<String> textOf(String hex) {
        String text = new String(HexFormat.of().parseHex(hex), StandardCharsets.US_ASCII);
        boolean readable = !text.isBlank() && text.chars().allMatch(character -> character >= ' ' && character <= '~');
        return readable ? Optional.of(text) : Optional.empty();
    }

    static BranchId read(FieldReader in) {
        return new BranchId(in.i32("formatId"), hex(in, "globalTransactionId"), hex(in, "branchQualifier"));
    }

    private static String hex(FieldReader in, String field) {
        ByteBuffer part = in.bytes(field);
        if (part.remaining() > MAX_PART_BYTES) {
            throw in.malformed(field, "must have at most " + MAX_PART_BYTES + " bytes, has " + part.remaining());
        }
        byte[] bytes = new byte[part.remaining()];
        part.get(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    static void write(FieldWriter out, BranchId item) {
        out.i32(item.formatId);
        out.bytes(ByteBuffer.wrap(HexFormat.of().parseHex(item.globalTransactionId)));
        out.bytes(ByteBuffer.wrap(HexFormat.of().parseHex(item.branchQualifier)));
    }
}
