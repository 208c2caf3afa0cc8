/** Makes an id unique: `web-shop` becomes `web-shop-2`, or the next free number. */
export function freeId(id: string, taken: ReadonlySet<string>): string {
  const stem = id.replace(/-\d{1,4}$/, '')
  // One of these is free: there are more candidates than taken ids.
  for (let number = 2; number <= taken.size + 2; number++) {
    const wanted = `${stem}-${number}`
    if (!taken.has(wanted)) return wanted
  }
  throw new Error('Every id is taken')
}
