package io.millrace.broker.internal.deadletter;

import io.millrace.broker.internal.partition.Partition;
import java.util.concurrent.CompletionStage;

/** Where the dead letters of somebody go, as it is set at the moment. From any thread. */
public interface DeadLetterAddress {

    /** A partition that takes dead letters, or why there is none. */
    sealed interface Found {
        /** It is here. */
        record Here(Partition partition) implements Found {}

        /** It may be soon. */
        record NotNow(String why) implements Found {}

        /** It will not, unless somebody changes a setting. */
        record Never(String why) implements Found {}

        /** Nobody wants them any more. */
        record Unwanted() implements Found {}
    }

    /** Returns whose they are, as it is said in each. */
    String group();

    /** Returns whether they have the key, value and headers of the record. */
    boolean copies();

    /** Returns by what name the records' log goes. */
    String nameOf(Partition from);

    /** Finds where to write what was given up in a partition, and may create it. */
    CompletionStage<Found> find(Partition from);
}
