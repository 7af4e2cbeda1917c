package io.millrace.coordinator.access;

import java.util.Optional;

/** The SCRAM mechanisms that users can have credentials for. Codes are Kafka's. */
public enum ScramMechanism {
    SCRAM_SHA_256(1, "SCRAM-SHA-256", 32),
    SCRAM_SHA_512(2, "SCRAM-SHA-512", 64);

    private final int code;
    private final String mechanismName;
    private final int keyBytes;

    ScramMechanism(int code, String mechanismName, int keyBytes) {
        this.code = code;
        this.mechanismName = mechanismName;
        this.keyBytes = keyBytes;
    }

    /** Returns the number that stands for it in requests and in the metadata log. */
    public int code() {
        return code;
    }

    /** Returns its name as a SASL mechanism. */
    public String mechanismName() {
        return mechanismName;
    }

    /** Returns the length of its keys. */
    public int keyBytes() {
        return keyBytes;
    }

    /** Returns the mechanism with this code. */
    public static Optional<ScramMechanism> ofCode(int code) {
        for (ScramMechanism mechanism : values()) {
            if (mechanism.code == code) {
                return Optional.of(mechanism);
            }
        }
        return Optional.empty();
    }
}
