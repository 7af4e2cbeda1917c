package io.millrace.testkit.disk;

import java.util.TreeMap;

/** A directory: names and what they stand for. */
final class DirectoryNode implements Node {
    final TreeMap<String, Node> entries = new TreeMap<>();
}
