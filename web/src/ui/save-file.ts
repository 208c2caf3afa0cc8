interface SavedFile {
  readonly name: string
  readonly content: string
  /** Of the content, as `text/csv;charset=utf-8`. */
  readonly type: string
}

/** Hands a text to the browser, which saves it as a file. */
export function saveFile({ name, content, type }: SavedFile): void {
  const address = URL.createObjectURL(new Blob([content], { type }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}
