package io.millrace.testkit.disk;

/** What a name can stand for. */
sealed interface Node permits DirectoryNode, FileNode {}
