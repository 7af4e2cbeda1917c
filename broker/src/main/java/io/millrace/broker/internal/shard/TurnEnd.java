package io.millrace.broker.internal.shard;

/** Somebody who has work to do once when the turn of a shard ends. */
@FunctionalInterface
public interface TurnEnd {

    /** Has synced what somebody waits for. Called on the shard before anybody's {@link #onTurnEnd}, so that whatever a turn wrote shares a sync. */
    default void askForSyncs() {}

    /** Called on the shard after the tasks and timers of the turn. */
    void onTurnEnd();
}
