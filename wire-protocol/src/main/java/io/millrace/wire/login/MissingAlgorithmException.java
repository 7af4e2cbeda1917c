package io.millrace.wire.login;

import io.millrace.wire.MillraceException;
import java.security.GeneralSecurityException;

/** The Java runtime lacks a hash that every Java runtime must have. No login is possible in this process. */
public final class MissingAlgorithmException extends MillraceException {

    MissingAlgorithmException(String algorithm, GeneralSecurityException cause) {
        super(Category.FATAL, "This Java runtime has no " + algorithm + ": check its security providers", cause);
    }
}
