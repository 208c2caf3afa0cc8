import type { Readable } from 'node:stream'
import { commonFolder } from '../../../features/organisers/archives/paths.ts'
import { openZip, type ZipTree } from '../../../features/organisers/archives/read-zip.ts'
import { StartError } from '../../../lib/errors.ts'
import type { Json } from '../json.ts'
import { createKeep } from '../kept.ts'
import type { Report } from '../report.ts'
import { jsonRows, type SeenRows } from './json-rows.ts'

/** Of one file, compressed and unpacked; all together may have four times as many. */
const MAX_FILE_BYTES = 4 * 1024 ** 3
const MAX_PROBLEMS = 5
export interface CtfdArchive extends AsyncDisposable {
  /** Names of the tables that have rows. */
  readonly tables: readonly string[]
  rows(table: string): AsyncIterable<Json>
  all(table: string): Promise<Json[]>
  /** Reads an uploaded file; null if it is not in the archive. */
  upload(location: string): (() => Promise<Readable>) | null
  /** The locations of all uploads. */
  readonly uploads: readonly string[]
}

/** Throws a StartError if anything in the directory of the archive is suspicious. */
export async function openCtfdZip(path: string): Promise<ZipTree> {
  const opened = await openZip(path, { maxFileBytes: MAX_FILE_BYTES })
  if ('tree' in opened) return insideFolder(opened.tree)
  const lines = opened.problems
    .slice(0, MAX_PROBLEMS)
    .map((problem) => `${problem.path} ${problem.reason}`.trim())
  throw new StartError(`The archive cannot be read: ${lines.join('; ')}. Nothing was imported.`)
}

/** Unpacking and packing an export again adds a folder around everything. */
function insideFolder(tree: ZipTree): ZipTree {
  const folder = commonFolder([...tree.sizes.keys()])
  const hasTables = [...tree.sizes.keys()].some((path) => path.startsWith(`${folder}db/`))
  if (folder === '' || !hasTables) return tree
  return {
    ...tree,
    sizes: new Map(Array.from(tree.sizes, ([path, size]) => [path.slice(folder.length), size])),
    digest: (path) => tree.digest(folder + path),
    read: (path) => tree.read(folder + path),
    open: (path) => tree.open(folder + path),
  }
}

/** Opens an export. Throws a StartError if it cannot be one. */
export async function openCtfdArchive(path: string, report: Report): Promise<CtfdArchive> {
  const tree = await openCtfdZip(path)
  const tables = [...tree.sizes].flatMap(([name, size]) => {
    const [, table] = /^db\/([\w-]+)\.json$/.exec(name) ?? []
    return table === undefined || size === 0 ? [] : [table]
  })
  if (tables.includes('alembic_version') || tables.includes('config'))
    return archiveOf(tree, { tables, report })
  await tree[Symbol.asyncDispose]()
  throw new StartError(
    'This is no export of CTFd: it has neither db/alembic_version.json nor db/config.json.',
  )
}

interface Opened {
  readonly tables: readonly string[]
  readonly report: Report
}

function archiveOf(tree: ZipTree, { tables, report }: Opened): CtfdArchive {
  const checked = new Set<string>()
  const keep = createKeep()

  async function* rows(table: string, onRow: typeof keep = () => {}): AsyncGenerator<Json> {
    if (!tables.includes(table)) return
    const name = `db/${table}.json`
    if (!checked.has(name)) await requireIntact(tree, name)
    const seen: SeenRows = { count: 0, latest: { bytes: 0, values: 0 }, stated: null }
    for await (const row of jsonRows((await tree.open(name)) as AsyncIterable<Buffer>, { name, seen })) {
      onRow(seen.latest)
      yield row
    }
    if (seen.stated !== null && seen.stated !== seen.count && !checked.has(name))
      report.note(
        'counts',
        'Tables have another number of rows than they state.',
        `${table}: ${seen.count} instead of ${seen.stated}`,
      )
    checked.add(name)
  }

  return {
    tables,
    rows: (table) => rows(table),
    async all(table) {
      const found: Json[] = []
      for await (const row of rows(table, keep)) found.push(row)
      return found
    },
    upload: (location) => openUpload(tree, location),
    uploads: [...tree.sizes.keys()]
      .filter((name) => name.startsWith('uploads/'))
      .map((name) => name.slice('uploads/'.length)),
    [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose](),
  }
}

/** An uploaded file; null if it is not in the archive. */
export function openUpload(tree: ZipTree, location: string): (() => Promise<Readable>) | null {
  // A file in the root of the upload folder is exported below the name of that folder.
  const names = [`uploads/${location}`, `uploads/uploads/${location}`]
  const name = names.find((each) => tree.sizes.has(each))
  return name === undefined ? null : () => tree.open(name)
}

async function requireIntact(tree: ZipTree, name: string): Promise<void> {
  const digest = await tree.digest(name)
  if ('problem' in digest)
    throw new StartError(`The archive is damaged: ${name} ${digest.problem}. Nothing was imported.`)
}
