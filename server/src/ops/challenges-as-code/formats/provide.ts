import ignore from 'ignore'
import { posix } from 'node:path'
import { addArchive, additionalFiles, filesOf, readForArchive } from './archive.ts'
import type { Reader } from './reader.ts'
import { baseName, inFolder, type ForeignDocument } from './translation.ts'
import { decoded } from '../../../lib/decoded.ts'

/** The files of rCDS and its forks: paths, renamed files, zip archives that are made of files, and links. */
export async function filesOfProvide(
  document: ForeignDocument,
  reader: Reader,
): Promise<unknown[] | undefined> {
  if (reader.raw('provide') === undefined) return undefined
  const files: unknown[] = []
  for (const item of reader.items('provide')) {
    const file = typeof item === 'string' ? item : await fileOf(document, item)
    if (file !== null) files.push(file)
  }
  return files
}

async function fileOf(document: ForeignDocument, item: Reader): Promise<unknown> {
  const url = item.string('url')
  if (url !== undefined) return linkOf(item, 'url', url)
  const kind = item.string('kind')
  const spec = kind === undefined ? item : item.map('spec')
  if (kind === 'zip') return await zipOf(document, spec)
  const [path, as] = [spec.string('file'), spec.string('as')]
  if (kind !== undefined && kind !== 'file')
    item.report('kind', `${kind} is not supported: write file or zip`)
  else if (path === undefined)
    spec.report('file', 'is missing: write a path, { file, as }, { kind, spec } or { url }')
  else return as === undefined ? path : { path, name: as }
  return null
}

/** A file that is stored elsewhere, or null if the field is no address. */
export function linkOf(item: Reader, field: string, url: string): unknown {
  const path = URL.canParse(url) ? new URL(url) : null
  if (path === null || !/^https?:$/.test(path.protocol)) {
    item.report(field, 'must be an address that begins with https:// or http://')
    return null
  }
  item.warn(field, `${url} is stored elsewhere: its content is not checked`, {
    reason: 'is stored elsewhere: its content is not checked',
  })
  return { url, name: decoded(baseName(path.pathname)) || path.hostname, size: null }
}

/** The names in the archive are relative to `base`. What is excluded may be replaced by an additional file. */
async function zipOf(document: ForeignDocument, spec: Reader): Promise<unknown> {
  const name = spec.string('as')
  if (name === undefined) spec.report('as', 'is missing: write the name of the archive')
  const base = posix.normalize(inFolder(document.folder, spec.string('base') ?? '.')).replace(/\/$/, '')
  const patterns = spec.strings('exclude') ?? []
  const excluded = ignore({ ignorecase: false }).add([...patterns])
  const files = new Map<string, string>()
  for (const entry of spec.strings('files') ?? []) {
    const found = await filesOf(document, { base, entry, takesFolders: true })
    if ('problem' in found) {
      spec.report('files', `${entry}: ${found.problem}`, { lint: 'missing-file' })
      continue
    }
    if (found.length === 0) spec.warn('files', `${entry} matches no file`, { lint: 'missing-file' })
    for (const path of found) {
      const inside = posix.relative(base, path)
      if (inside.startsWith('../'))
        spec.report('files', `${entry} is outside of base: set base to a folder that contains it`)
      else if (!excluded.ignores(inside)) files.set(path, inside)
    }
  }
  const wanted = [...files].map(([path, inside]) => ({ path, name: inside }))
  const packed = await readForArchive(document, wanted, (message) => spec.report('files', message))
  const all = [...packed, ...additionalFiles(spec)]
  if (all.length === 0)
    spec.report('files', 'no file matches: the archive would be empty', { lint: 'missing-file' })
  return name === undefined || all.length === 0
    ? null
    : await addArchive(document, { name, format: 'zip', files: all })
}
