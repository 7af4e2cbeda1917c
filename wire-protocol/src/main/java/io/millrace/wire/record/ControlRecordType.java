package io.millrace.wire.record;

/** What a record of a control batch says. The ids are Kafka's, written in the record's key. */
public enum ControlRecordType {
    ABORT(0),
    COMMIT(1),
    /** The metadata quorum's own records, from here to {@link #KRAFT_VOTERS}; only Kafka's Raft core reads their values. */
    LEADER_CHANGE(2),
    SNAPSHOT_HEADER(3),
    SNAPSHOT_FOOTER(4),
    KRAFT_VERSION(5),
    KRAFT_VOTERS(6),
    /** A type newer than this codec. Readers skip such records, as they skip all control records. */
    UNKNOWN(-1);

    private static final ControlRecordType[] TYPES = values();

    private final short id;

    ControlRecordType(int id) {
        this.id = (short) id;
    }

    /** The number in the key of a control record. */
    public short id() {
        return id;
    }

    /** The type of this number, or {@link #UNKNOWN}. */
    public static ControlRecordType forId(int id) {
        for (ControlRecordType type : TYPES) {
            if (type.id == id) {
                return type;
            }
        }
        return UNKNOWN;
    }
}
