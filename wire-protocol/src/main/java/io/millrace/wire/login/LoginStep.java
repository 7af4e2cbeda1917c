package io.millrace.wire.login;

import java.nio.ByteBuffer;

/** What a server does after a Login frame. */
public sealed interface LoginStep {

    /**
     * Send it in a LoginChallenge and wait for the next Login frame.
     *
     * @param data of the frame
     */
    record Challenge(ByteBuffer data) implements LoginStep {}

    /**
     * The client is who it claims to be: send LoginOk.
     *
     * @param principal who that is
     * @param data of the frame
     */
    record Accepted(String principal, ByteBuffer data) implements LoginStep {}

    /**
     * Answer with AUTHENTICATION_FAILED and close.
     *
     * @param reason for the server's log only: telling a stranger which users exist would help it
     */
    record Refused(String reason) implements LoginStep {}
}
