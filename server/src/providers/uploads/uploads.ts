/** Stores files under keys whose content never changes: `<sha256>/<name>`, `avatars/<team>/<sha256>.webp`. */
export interface Uploads {
  /**
   * Folder for files whose key is not known yet, because it depends on their content. On the store's own disk
   * if it has one, so that storing is a rename.
   */
  readonly stagingFolder: string
  /** The folder that this process serves under `/uploads/`; null when files are served elsewhere. */
  readonly servedFolder: string | null
  /**
   * Returns a temporary URL for a file of a private store. Its files have URLs of this server, which
   * redirects to the signed URL. Null when file URLs need no signing.
   */
  readonly signedUrl: ((key: string) => Promise<string>) | null
  /** Where browsers load files from, if it is not this server. */
  readonly origin: string | null
  /** All files, for backups. Null if the provider cannot list them. */
  readonly contents: UploadContents | null
  /** Stores the content unless the key already exists. A staged file may be moved. */
  store(key: string, content: Buffer | StagedFile): Promise<StoredFile>
  find(key: string): Promise<StoredFile | null>
  remove(key: string): Promise<void>
}

export interface UploadContents {
  list(): AsyncIterable<{ readonly key: string; readonly size: number }>
  /** Null if the file was removed. */
  open(key: string): Promise<AsyncIterable<Buffer> | null>
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
