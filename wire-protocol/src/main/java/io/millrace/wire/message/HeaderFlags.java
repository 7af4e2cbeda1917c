package io.millrace.wire.message;

/** The bits of the {@code jms} header's flags: what is so, and which fields follow. Every one of the 16 bits has a meaning. */
final class HeaderFlags {
    static final int NON_PERSISTENT = 1;
    static final int KEY_IS_GROUP = 1 << 1;
    static final int TIMESTAMP_DISABLED = 1 << 2;

    // The fields follow each other in this order. Those that the server looks at come first and have fixed sizes.
    static final int PRIORITY = 1 << 3;
    static final int EXPIRATION = 1 << 4;
    static final int DELIVERY_TIME = 1 << 5;
    static final int CLIENT_ID = 1 << 6;
    static final int POSITION_ID = 1 << 7;
    static final int TEXT_ID = 1 << 8;
    static final int CORRELATION_TEXT = 1 << 9;
    static final int CORRELATION_BYTES = 1 << 10;
    static final int REPLY_TO = 1 << 11;
    static final int TYPE = 1 << 12;
    static final int GROUP_SEQUENCE = 1 << 13;
    static final int PROPERTY_TYPES = 1 << 14;
    static final int EXTENSIONS = 1 << 15;

    private HeaderFlags() {}
}
