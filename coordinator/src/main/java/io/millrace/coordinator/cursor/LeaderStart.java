package io.millrace.coordinator.cursor;

/** What a broker that begins to lead a partition knows about the deliveries of its predecessor. */
public enum LeaderStart {

    /**
     * The cursor log ends with the last record that was appended to it: this broker led before, and was closed in good order, or was
     * killed and the machine went on, so that the page cache is intact. The counts of deliveries are exact.
     *
     * <p>That is so only if the broker's last life got as far as appending the records of its first turn as the leader. If it began
     * {@link #UNCERTAIN} and was killed before, this start is uncertain too.
     */
    COMPLETE,

    /** Records at the end of the cursor log may be lost: another broker led before, or the machine stopped without a clean close. */
    UNCERTAIN
}
