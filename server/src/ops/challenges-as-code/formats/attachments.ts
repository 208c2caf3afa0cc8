import { posix } from 'node:path'
import { addArchive, additionalFiles, filesOf, readForArchive } from './archive.ts'
import { fnmatch } from './patterns.ts'
import type { Reader } from './reader.ts'
import { isMap, type ForeignDocument } from './translation.ts'

/** The files of Konata: one archive of all, and those that are archives already. */
export async function attachmentsOf(
  document: ForeignDocument,
  reader: Reader,
): Promise<unknown[] | undefined> {
  const given = reader.raw('attachments')
  if (given === undefined) return undefined
  const isList = !isMap(given)
  const options = isList ? reader : reader.map('attachments')
  const missing = { lint: 'missing-file' } as const
  const format = formatOf(document)
  const settings = isList ? null : settingsOf(options)
  if (settings?.isProtected || format === null) {
    options.ignore('files', 'additional')
    reader.report(
      'attachments',
      'only tar_gz and zip without a password are supported: pack the files, and list the archive in pre_compressed',
    )
    return undefined
  }
  const { folder } = document
  const field = isList ? 'attachments' : 'files'
  const files = new Map<string, string>()
  for (const entry of options.strings(field) ?? []) {
    const found = await filesOf(document, { base: folder, entry, takesFolders: false })
    if ('problem' in found) options.report(field, `${entry}: ${found.problem}`, missing)
    else if (found.length === 0) options.report(field, `${entry}: no file matches`, missing)
    else for (const path of found) files.set(path, posix.relative(folder, path))
  }
  const excluded = (settings?.exclude ?? []).map(fnmatch)
  const kept = [...files].filter(([, name]) => !excluded.some((matches) => matches(name)))
  if (kept.length === 0 && files.size > 0)
    options.warn('exclude', 'excludes every file: there is no archive of them', { lint: 'missing-file' })
  const named = kept.map(([path, name]) => ({ path, name: stripped(name, settings?.strip ?? 0) }))
  const packed = await readForArchive(document, named, (message) => options.report(field, message, missing))
  const all = [...packed, ...(isList ? [] : additionalFiles(options))]
  const ready = settings?.ready ?? []
  if (all.length === 0) return [...ready]
  const name = safeName(settings?.archiveName ?? defaultName(reader))
  const isWrapped = document.project.konata?.typed['attachment_wrap_dir'] !== false
  const inside = all.map(({ path, content }) => ({ path: isWrapped ? `${name}/${path}` : path, content }))
  const ending = format === 'zip' ? '.zip' : '.tar.gz'
  return [await addArchive(document, { name: name + ending, format, files: inside }), ...ready]
}

function settingsOf(options: Reader) {
  return {
    isProtected: options.has('password'),
    exclude: options.strings('exclude') ?? [],
    ready: options.strings('pre_compressed') ?? [],
    archiveName: options.string('archive_name'),
    strip: options.integer('strip_components') ?? 0,
  }
}

function formatOf({ project: { konata } }: ForeignDocument): 'tar_gz' | 'zip' | null {
  const format = konata?.typed['attachment_format'] ?? 'tar_gz'
  return format === 'tar_gz' || format === 'zip' ? format : null
}

/** Without its first folders, but never without its name. What is outside of the folder has no name above it. */
function stripped(name: string, count: number): string {
  const parts = name.split('/').filter((part) => part !== '..')
  return parts.slice(Math.min(count, parts.length - 1)).join('/')
}

function defaultName(reader: Reader): string {
  return ['category', 'name']
    .map((field) => (reader.string(field) ?? '').trim().toLowerCase().replaceAll(/\s+/g, '-'))
    .join('_')
}

/** As Konata replaces what some file systems refuse. */
function safeName(name: string): string {
  return name.replaceAll(/[<>:"/\\|?*\p{Cc}]/gu, '_')
}
