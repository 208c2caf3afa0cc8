import { posix } from 'node:path'
import { addArchive, filesOf, readForArchive } from './archive.ts'
import { linkOf } from './provide.ts'
import type { Reader } from './reader.ts'
import { baseName, inFolder, type ForeignDocument } from './translation.ts'

/** The one attachment of gzcli: a file, the zip archive of a folder, or an address. */
export async function providedFile(
  document: ForeignDocument,
  reader: Reader,
  given: string,
): Promise<readonly unknown[]> {
  if (/^https?:\/\//i.test(given)) return [linkOf(reader, 'provide', given)].filter((file) => file !== null)
  const root = posix.normalize(posix.join(inFolder(document.folder, given), '.'))
  const found = await filesOf(document, { base: document.folder, entry: given, takesFolders: false })
  const report = (message: string) => reader.report('provide', message, { lint: 'missing-file' })
  if ('problem' in found) {
    report(found.problem)
    return []
  }
  return found.length === 1 && found[0] === root
    ? [given]
    : await zippedFolder(document, { root, found, report })
}

interface ProvidedFolder {
  readonly root: string
  readonly found: readonly string[]
  readonly report: (message: string) => void
}

/** The names in the archive are relative to the folder. The documents, with their flags, are never in it. */
async function zippedFolder(document: ForeignDocument, { root, found, report }: ProvidedFolder) {
  const kept = found.filter((path) => path !== document.file)
  const files = kept.map((path) => ({ path, name: posix.relative(root, path) }))
  const packed = await readForArchive(document, files, report)
  if (packed.length === 0) return []
  const name = `${baseName(root === '.' ? '' : root) || 'files'}.zip`
  return [await addArchive(document, { name, format: 'zip', files: packed })]
}
