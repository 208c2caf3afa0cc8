/** What a path is that the sizes of a tree do not have. */
export type FileState = 'file' | 'folder' | 'outside' | 'missing'

/** The files of a folder tree, in an archive or on a disk. */
export interface FolderTree {
  /** Size in bytes by path, with `/` between the parts of a path. */
  readonly sizes: ReadonlyMap<string, number>
  /** Reads a file whose size was checked. The problem is a sentence without the path. */
  read(path: string): Promise<{ readonly content: Buffer } | { readonly problem: string }>
  /** Looks for a path that the sizes do not have, behind links and above the root, and adds a file to the sizes. */
  readonly find?: (path: string) => Promise<FileState>
  /** The folders from the one above the root to that of the repository: `..`, `../../..` and so on. */
  readonly above?: readonly string[]
}
