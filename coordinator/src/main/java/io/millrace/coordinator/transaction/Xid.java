package io.millrace.coordinator.transaction;

import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The identity of a branch of a distributed transaction (XA specification, section 4.2). The transaction manager makes it up; it is kept and
 * given back byte by byte.
 *
 * @param formatId what kind of bytes they are; -1 is the null Xid, which no branch has
 * @param globalTransactionId which transaction, 0 to 64 bytes as lower-case hexadecimal
 * @param branchQualifier which branch of it, 0 to 64 bytes as lower-case hexadecimal
 */
public record Xid(int formatId, String globalTransactionId, String branchQualifier) {

    /** Bytes of each part at most. */
    public static final int MAX_PART_BYTES = 64;

    private static final int NULL_FORMAT = -1;
    private static final Pattern TEXT = Pattern.compile("(-?\\d{1,10}):([0-9a-f]*):([0-9a-f]*)");

    public Xid {
        if (formatId == NULL_FORMAT) {
            throw new IllegalArgumentException("format id -1 is the null Xid, which names no branch");
        }
        requirePart("global transaction id", globalTransactionId);
        requirePart("branch qualifier", branchQualifier);
    }

    private static void requirePart(String name, String hex) {
        if (hex.length() > 2 * MAX_PART_BYTES || hex.length() % 2 != 0) {
            throw new IllegalArgumentException(
                    "a " + name + " has 0 to " + MAX_PART_BYTES + " bytes, this one " + hex.length() / 2);
        }
    }

    /**
     * Returns the Xid of these bytes.
     *
     * @throws IllegalArgumentException if it is the null Xid, or a part is longer than 64 bytes
     */
    public static Xid of(int formatId, byte[] globalTransactionId, byte[] branchQualifier) {
        return new Xid(
                formatId,
                HexFormat.of().formatHex(globalTransactionId),
                HexFormat.of().formatHex(branchQualifier));
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Xid parse(String text) {
        var parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "an Xid is written as format id, global transaction id and branch qualifier, the last two in lower-case"
                            + " hexadecimal, with colons between them, as 131077:0a1b:02: not " + text);
        }
        return new Xid(Integer.parseInt(parts.group(1)), parts.group(2), parts.group(3));
    }

    /** Returns whether a text looks like what {@link #toString} writes. */
    static boolean isText(String text) {
        return TEXT.matcher(text).matches();
    }

    /** Returns the bytes of the global transaction id. */
    public byte[] globalTransactionIdBytes() {
        return HexFormat.of().parseHex(globalTransactionId);
    }

    /** Returns the bytes of the branch qualifier. */
    public byte[] branchQualifierBytes() {
        return HexFormat.of().parseHex(branchQualifier);
    }

    @Override
    public String toString() {
        return formatId + ":" + globalTransactionId + ":" + branchQualifier;
    }
}
