import { posix } from 'node:path'
import { addArchive, filesOf, readForArchive } from './archive.ts'
import type { Reader } from './reader.ts'
import { baseName, type ForeignDocument } from './translation.ts'

/** Files of beavercds: paths, renamed files, and zip archives of several. */
export async function filesOfPods(document: ForeignDocument, reader: Reader): Promise<unknown[] | undefined> {
  if (reader.raw('provide') === undefined) return undefined
  const files: unknown[] = []
  for (const [index, item] of reader.items('provide').entries()) {
    if (typeof item === 'string') {
      files.push(item)
      continue
    }
    const [from, include, as] = [item.string('from'), item.strings('include') ?? [], item.string('as')]
    if (from !== undefined)
      reader.report(
        `provide.${index}.from`,
        `is a file of the built image of ${from}: copy it into the folder`,
        {
          lint: 'missing-file',
        },
      )
    else if (include.length === 0) item.report('include', 'is missing')
    else if (as === undefined) files.push(...include)
    else files.push(...(await namedFile(document, item, { include, as })))
  }
  return files
}

/** One file is renamed, several are packed. */
async function namedFile(
  document: ForeignDocument,
  item: Reader,
  { include, as }: { readonly include: readonly string[]; readonly as: string },
): Promise<unknown[]> {
  const report = (message: string) => item.report('include', message, { lint: 'missing-file' })
  const [only] = include
  const found: string[] = []
  for (const entry of include) {
    const matching = await filesOf(document, { base: document.folder, entry, takesFolders: false })
    if ('problem' in matching) report(matching.problem)
    else found.push(...matching)
  }
  if (include.length === 1 && found.length === 1 && only !== undefined) return [{ path: only, name: as }]
  const wanted = found.map((path) => ({ path, name: baseName(posix.relative(document.folder, path)) }))
  const packed = await readForArchive(document, wanted, report)
  return packed.length === 0 ? [] : [await addArchive(document, { name: as, format: 'zip', files: packed })]
}
