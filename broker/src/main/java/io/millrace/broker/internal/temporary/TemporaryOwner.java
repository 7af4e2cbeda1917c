package io.millrace.broker.internal.temporary;

import io.millrace.broker.internal.client.ClientConnection;
import java.util.UUID;

/**
 * A connection as its client sees it, which stays the same when it is made again.
 *
 * @param clientUuid what it calls itself. It is no secret, since it is a part of message ids
 * @param principal who logged in: nobody else can pass for it
 */
public record TemporaryOwner(UUID clientUuid, String principal) {

    static TemporaryOwner of(ClientConnection connection) {
        return new TemporaryOwner(connection.clientUuid(), connection.principal());
    }
}
