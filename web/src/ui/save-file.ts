interface SavedFile {
  readonly name: string
  readonly content: string | Blob
  /** MIME type, such as `text/csv;charset=utf-8`. */
  readonly type: string
}

/** Saves a text, or what was downloaded, as a file. */
export function saveFile({ name, content, type }: SavedFile): void {
  const address = URL.createObjectURL(new Blob([content], { type }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}
