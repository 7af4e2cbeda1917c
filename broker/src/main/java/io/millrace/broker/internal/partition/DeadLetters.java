package io.millrace.broker.internal.partition;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * What becomes of records that are given up: whoever consumes by a cursor says it, and {@link GivenUpRecords} sees to it. From any thread.
 */
public interface DeadLetters {

    /** They are done, and nothing is written about them. */
    DeadLetters NONE = new DeadLetters() {
        @Override
        public boolean areWanted() {
            return false;
        }

        @Override
        public CompletionStage<Integer> write(Partition from, List<GivenUp> records) {
            throw new IllegalStateException("dead letters of " + from + " are not wanted");
        }
    };

    /** Returns whether something is to be written before records that are given up count as done. */
    boolean areWanted();

    /**
     * Writes about records, the first ones first, as many as it likes.
     *
     * @param from where they are
     * @param records what was given up, at least one
     * @return completes when it is certain what becomes of some of them, with how many offsets, counted from the first one on: what was
     *     written about them is durable, or it was logged why nothing could be. Never, if the broker ends before that
     */
    CompletionStage<Integer> write(Partition from, List<GivenUp> records);
}
