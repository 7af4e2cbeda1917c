package io.millrace.wire.frame;

import java.nio.ByteBuffer;
import java.util.HexFormat;

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
