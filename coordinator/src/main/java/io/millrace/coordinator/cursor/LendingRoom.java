package io.millrace.coordinator.cursor;

/**
 * Which records a cursor may lend at this moment, asked for one after the other in the order of their offsets: those that are taken use up the
 * room of its window. Good until the cursor changes. On the shard.
 */
public final class LendingRoom {

    private final Lending lending;
    private long room;
    private boolean taken;
    private boolean horizonOnly;

    LendingRoom(Lending lending) {
        this.lending = lending;
        this.room = lending.roomForUndelivered();
    }

    /**
     * Asks for a record that nobody holds.
     *
     * @return whether it may be lent together with those that were taken before
     */
    public boolean take(long offset) {
        boolean delivered = lending.wasDelivered(offset);
        boolean fits = delivered || (taken ? room : lending.roomForFirst(room)) > 0;
        horizonOnly = fits && !lending.isLendable(offset);
        if (!fits || horizonOnly) {
            return false;
        }
        room -= delivered ? 0 : 1;
        taken = true;
        return true;
    }

    /** Returns whether the last record that was not taken may be lent as soon as the dispatch horizon beyond it is confirmed. */
    public boolean isBelowHorizonOnly() {
        return horizonOnly;
    }
}
