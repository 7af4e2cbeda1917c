package io.millrace.testkit.disk;

import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A change of directory entries that is not durable yet: what each entry was before it. */
record NameChange(List<Entry> before) {
    record Entry(
            DirectoryNode directory, String name, @Nullable Node node) {}

    static Entry now(DirectoryNode directory, String name) {
        return new Entry(directory, name, directory.entries.get(name));
    }

    List<DirectoryNode> directories() {
        return before.stream().map(Entry::directory).distinct().toList();
    }

    void undo() {
        for (Entry entry : before) {
            TreeMap<String, Node> entries = entry.directory().entries;
            if (entries.get(entry.name()) instanceof FileNode removed) {
                removed.linked = false;
            }
            if (entry.node() == null) {
                entries.remove(entry.name());
            } else {
                entries.put(entry.name(), entry.node());
            }
        }
        for (Entry entry : before) {
            if (entry.node() instanceof FileNode file) {
                file.linked = true;
            }
        }
    }
}
