package io.millrace.broker.internal.kafka.admin;

import io.millrace.coordinator.access.ScramCredential;
import io.millrace.coordinator.access.ScramMechanism;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import org.apache.kafka.common.errors.UnacceptableCredentialException;
import org.apache.kafka.common.security.scram.internals.ScramFormatter;

/** Makes what a server keeps of a password from what clients send of it (RFC 5802 section 3). */
public final class ScramKeys {

    private ScramKeys() {}

    /**
     * Makes a credential.
     *
     * @param saltedPassword the password, hashed so many times with the salt; not kept
     * @throws IllegalArgumentException if the salt has a length that it cannot have
     */
    public static ScramCredential credential(
            ScramMechanism mechanism, byte[] salt, byte[] saltedPassword, int iterations) {
        if (saltedPassword.length == 0) {
            throw new UnacceptableCredentialException("The salted password is empty");
        }
        try {
            ScramFormatter formatter =
                    new ScramFormatter(org.apache.kafka.common.security.scram.internals.ScramMechanism.forMechanismName(
                            mechanism.mechanismName()));
            return new ScramCredential(
                    mechanism,
                    salt,
                    formatter.storedKey(formatter.clientKey(saltedPassword)),
                    formatter.serverKey(saltedPassword),
                    iterations);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new UnacceptableCredentialException(
                    "The credential cannot be made by " + mechanism.mechanismName() + " here", e);
        }
    }
}
