package io.millrace.coordinator.metadata;

import java.util.concurrent.CompletionStage;

/**
 * Decides about the metadata. Commands take effect one after the other, in one order for the whole cluster.
 *
 * <p>May be called from any thread.
 */
public interface Controller {

    /**
     * Carries a command out.
     *
     * @param command what to do
     * @param <R> its kind of answer
     * @return the answer, once everything that it depends on is committed: it stays true whatever crashes. Completes on the metadata's
     *     executor. Fails with
     *     <ul>
     *       <li>{@link NotControllerException}: surely not done, another broker decides;
     *       <li>{@link ControllerBusyException}: surely not done, too much is waiting;
     *       <li>{@link IndeterminateException}: perhaps done; repeat it under the same operation id to find out;
     *       <li>{@link MetadataFormatException}: surely not done, its strings cannot be stored.
     *     </ul>
     */
    <R> CompletionStage<R> submit(MetadataCommand<R> command);
}
