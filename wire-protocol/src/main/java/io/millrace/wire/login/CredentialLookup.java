package io.millrace.wire.login;

import java.util.Optional;

/** Where a server finds the credentials of its users. Called on the thread that runs the exchange; must not block for long. */
@FunctionalInterface
public interface CredentialLookup {

    /**
     * Finds a user's credential.
     *
     * @param user as the client wrote it
     * @param hash which of the user's credentials
     * @return the credential, or empty if there is no such user, or none with this hash
     */
    Optional<ScramCredential> find(String user, ScramHash hash);
}
