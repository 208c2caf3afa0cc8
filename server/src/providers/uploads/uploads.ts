/** Keeps files under keys that never change their content: `<sha256>/<name>`, `avatars/<team>/<sha256>.webp`. */
export interface Uploads {
  /**
   * Where files wait whose key is not known yet, because it follows from their content. On the store's own disk when
   * it has one, so that storing is a rename.
   */
  readonly stagingFolder: string
  /** The folder that this process serves under `/uploads/`; null when the files are served elsewhere. */
  readonly servedFolder: string | null
  /**
   * The address at which a file of a private store can be had for a while. Its files have addresses of this server,
   * which sends callers there. Null when addresses of files need no such help.
   */
  readonly signedUrl: ((key: string) => Promise<string>) | null
  /** Stores the content unless the key is there already. A staged file may be moved away. */
  store(key: string, content: Buffer | StagedFile): Promise<StoredFile>
  find(key: string): Promise<StoredFile | null>
  remove(key: string): Promise<void>
}

export interface StagedFile {
  readonly path: string
  readonly size: number
}

export interface StoredFile {
  /** Absolute, or a path of this server. */
  readonly url: string
  readonly size: number
}
