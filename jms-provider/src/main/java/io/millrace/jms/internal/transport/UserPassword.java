package io.millrace.jms.internal.transport;

/**
 * Who logs in.
 *
 * @param user not empty
 * @param password may be empty, which no mechanism with a password accepts
 */
public record UserPassword(String user, String password) {

    @Override
    public String toString() {
        return "user " + user;
    }
}
