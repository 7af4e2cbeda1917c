package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.coordinator.selector.InvalidSelectorException;
import io.millrace.coordinator.selector.Selector;
import io.millrace.wire.ErrorCode;
import java.util.Optional;

/** Selectors as clients send them. */
final class RequestedSelector {
    private RequestedSelector() {}

    /**
     * Understands a selector; a blank one is none (Jakarta Messaging 3.8.1).
     *
     * @throws RequestFailedException if it is no selector
     */
    static Optional<Selector> of(Optional<String> text) {
        try {
            return text.flatMap(Selector::parseOptional);
        } catch (InvalidSelectorException e) {
            throw new RequestFailedException(ErrorCode.INVALID_SELECTOR, "invalid message selector: " + e.getMessage());
        }
    }
}
