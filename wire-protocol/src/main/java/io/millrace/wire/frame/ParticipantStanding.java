package io.millrace.wire.frame;

/** What a partition has of a transaction. */
public enum ParticipantStanding {
    /** It cannot be asked at present. */
    UNKNOWN(0, "unknown"),
    /** Something that counts only once the transaction is committed. */
    OPEN(1, "open"),
    /** Nothing, or nothing any more. */
    NOTHING(2, "nothing");

    private final int id;
    private final String word;

    ParticipantStanding(int id, String word) {
        this.id = id;
        this.word = word;
    }

    /** Returns the number on the wire. */
    public int id() {
        return id;
    }

    /** Returns how people call it. */
    public String word() {
        return word;
    }

    static ParticipantStanding fromId(FieldReader in, String field) {
        int id = in.u8(field);
        for (ParticipantStanding value : values()) {
            if (value.id == id) {
                return value;
            }
        }
        throw in.malformed(field, "unknown value: " + id);
    }
}
