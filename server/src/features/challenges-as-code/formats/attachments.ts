import { pathProblem } from '../../challenge-archive/paths.ts'
import { pack, type PackedFile } from './pack.ts'
import type { Reader } from './reader.ts'
import { baseName, inFolder, isMap, type ForeignDocument, type Json } from './translation.ts'

/** What all archives of a folder may contain: they are made in memory. */
export const MAX_PACKED_BYTES = 512 * 1024 * 1024

const ENDINGS: Readonly<Record<string, string>> = { tar_gz: '.tar.gz', zip: '.zip' }

/** The files of Konata: one archive of all, and those that are archives already. */
export async function attachmentsOf(
  document: ForeignDocument,
  reader: Reader,
): Promise<string[] | undefined> {
  const given = reader.raw('attachments')
  if (given === undefined) return undefined
  const options: Json = isMap(given) ? given : { files: given }
  const report = (message: string) => {
    reader.report('attachments', message, { lint: 'missing-file' })
  }
  if (options['password'] !== undefined || formatOf(document) === null) {
    reader.report('attachments', 'only tar_gz and zip without a password are supported')
    return undefined
  }
  const excluded = textsOf(options['exclude']).map((pattern) => globOf(pattern, '.*'))
  const ready = textsOf(options['pre_compressed']).map(withoutDot)
  const paths = textsOf(options['files']).flatMap((entry) => matches(document, withoutDot(entry), report))
  const kept = [...new Set(paths)].filter((path) => !excluded.some((pattern) => pattern.test(path)))
  const files = [...(await read(document, kept, report)), ...additional(options, report)]
  if (files.length === 0) return ready
  return [await addArchive(document, reader, { options, files }), ...ready]
}

function formatOf({ project: { konata } }: ForeignDocument): 'tar_gz' | 'zip' | null {
  const format = konata?.typed['attachment_format'] ?? 'tar_gz'
  return format === 'tar_gz' || format === 'zip' ? format : null
}

function textsOf(value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return list.filter((item) => typeof item === 'string')
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
}

/** A shell pattern as an expression; `star` is what `*` matches. */
function globOf(pattern: string, star: string): RegExp {
  const source = withoutDot(pattern).replaceAll(/\*\*\/?|\*|\?|[\\^$.+()[\]{}|]/g, (part) => {
    if (part.startsWith('**')) return '.*'
    if (part === '*') return star
    return part === '?' ? '[^/]' : `\\${part}`
  })
  return new RegExp(`^${source}$`)
}

/** The files that an entry means: one, all below a folder, or those that match a pattern. */
function matches(
  { tree, folder }: ForeignDocument,
  entry: string,
  report: (message: string) => void,
): string[] {
  const problem = entry === '.' ? null : pathProblem(entry)
  const prefix = inFolder(folder, '')
  const below = [...tree.sizes.keys()].flatMap((path) =>
    path.startsWith(prefix) ? [path.slice(prefix.length)] : [],
  )
  const pattern = globOf(entry, '[^/]*')
  const found = below.filter(
    (path) => entry === '.' || path === entry || path.startsWith(`${entry}/`) || pattern.test(path),
  )
  if (problem !== null) report(`${entry}: ${problem}`)
  else if (found.length === 0) report(`${entry}: there is no such file`)
  return problem === null ? found : []
}

async function read(
  { tree, folder, project: { packing } }: ForeignDocument,
  paths: readonly string[],
  report: (message: string) => void,
): Promise<PackedFile[]> {
  const files: PackedFile[] = []
  for (const path of paths) {
    packing.left -= tree.sizes.get(inFolder(folder, path)) ?? 0
    if (packing.left < 0) {
      report(`all archives together have more than ${MAX_PACKED_BYTES} bytes`)
      return files
    }
    const content = await tree.read(inFolder(folder, path))
    if ('problem' in content) report(`${path} ${content.problem}`)
    else files.push({ path, content: content.content })
  }
  return files
}

/** Files whose content is in the document. */
function additional(options: Json, report: (message: string) => void): PackedFile[] {
  const list: readonly unknown[] = Array.isArray(options['additional']) ? options['additional'] : []
  return list.flatMap((item): PackedFile[] => {
    const { path, str, base64 } = isMap(item) ? item : {}
    const content = typeof str === 'string' ? Buffer.from(str) : decoded(base64)
    const problem = typeof path === 'string' ? pathProblem(path) : 'the path is missing'
    if (typeof path === 'string' && content && problem === null) return [{ path, content }]
    report(`additional: ${problem ?? 'needs str or base64'}`)
    return []
  })
}

function decoded(base64: unknown): Buffer | null {
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : null
}

async function addArchive(
  document: ForeignDocument,
  reader: Reader,
  { options, files }: { readonly options: Json; readonly files: readonly PackedFile[] },
): Promise<string> {
  const { tree, folder, project, typed } = document
  const format = formatOf(document) ?? 'tar_gz'
  const plain = `${reader.string('category')}_${reader.string('name')}`.toLowerCase().replaceAll(' ', '-')
  const given = options['archive_name']
  const name = (typeof given === 'string' ? given : plain).replaceAll('/', '-')
  const isWrapped = project.konata?.typed['attachment_wrap_dir'] !== false
  const strip = numberOf(typed, 'strip_components')
  const inside = files.flatMap(({ path, content }) => {
    const stripped = path.split('/').slice(strip).join('/')
    return stripped === '' ? [] : [{ path: isWrapped ? `${name}/${stripped}` : stripped, content }]
  })
  const file = baseName(name) + ENDINGS[format]
  tree.add(inFolder(folder, file), await pack(format, inside))
  return file
}

function numberOf(typed: Json, key: string): number {
  const attachments = typed['attachments']
  const value = isMap(attachments) ? attachments[key] : undefined
  return typeof value === 'number' && value > 0 ? value : 0
}
