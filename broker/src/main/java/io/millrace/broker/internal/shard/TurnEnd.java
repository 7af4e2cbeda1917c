package io.millrace.broker.internal.shard;

/** Somebody who has work to do once when the turn of a shard ends. */
@FunctionalInterface
public interface TurnEnd {

    /** Called on the shard after the tasks and timers of the turn. */
    void onTurnEnd();
}
