package io.millrace.coordinator.cursor;

/** What a broker that begins to lead a partition knows about the deliveries of its predecessor. */
public enum LeaderStart {

    /**
     * The cursor log ends with the last record that was appended to it: the broker that led before, this one, was closed in good order,
     * or was killed under the same boot id, so that the page cache is intact. The counts of deliveries are exact.
     */
    COMPLETE,

    /** Records at the end of the cursor log may be lost: another broker led before, or the machine stopped without a clean close. */
    UNCERTAIN
}
