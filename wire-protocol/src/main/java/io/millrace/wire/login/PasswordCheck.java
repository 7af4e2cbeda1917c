package io.millrace.wire.login;

import java.util.Optional;

/** Checks a password that a client sent in the clear. May take milliseconds of a processor. */
@FunctionalInterface
public interface PasswordCheck {

    /** Returns whether a user exists and has this password. Should take equally long for users who do not exist. */
    boolean isRight(String user, String password);

    /** Returns a check against SCRAM credentials, the longer hash first. A user who does not exist takes as long as one of the fewest iterations. */
    static PasswordCheck of(CredentialLookup credentials) {
        return (user, password) -> {
            Optional<ScramCredential> known =
                    credentials.find(user, ScramHash.SHA_512).or(() -> credentials.find(user, ScramHash.SHA_256));
            if (known.isPresent()) {
                return known.get().matches(password);
            }
            ScramCredential.unprovable(ScramHash.SHA_512, user, new byte[16], ScramHash.MIN_ITERATIONS)
                    .matches(password);
            return false;
        };
    }
}
