import { readFile } from 'node:fs/promises'
import type { ProviderContext } from '../../../providers/provider.ts'
import { openCtfdArchive } from '../ctfd/archive.ts'
import type { CtfdOptions } from '../ctfd/options.ts'
import { readCtfd } from '../ctfd/read.ts'
import type {
  ExpectedStandings,
  ImportedContest,
  ImportedFile,
  ImportedSubmission,
  ImportedTable,
} from '../contest.ts'
import type { Json } from '../json.ts'
import { createReport, type Finding, type Report } from '../report.ts'
import { parseRctfConfig, tokenKeyOf, type RctfConfig } from '../rctf/config.ts'
import { openDump } from '../rctf/dump.ts'
import { readRctf } from '../rctf/read.ts'
import type { ReceivedConfiguration } from './receive.ts'

// What the process does that reads an uploaded contest: it sends the contest in parts, because a part is copied at once.

export type ContestFile =
  | { readonly kind: 'ctfd'; readonly path: string; readonly options: CtfdOptions }
  | {
      readonly kind: 'rctf'
      readonly path: string
      readonly configuration: readonly ReceivedConfiguration[]
      readonly divisions: readonly string[]
      readonly mapped: ReadonlyMap<string, string>
      /** Unix milliseconds. */
      readonly now: number
    }

/** The lists of a contest, in any order. Files are without their content. */
export const LISTS = [
  'teams',
  'members',
  'challenges',
  'solves',
  'feedScores',
  'feedEvents',
  'dynamicFlags',
  'botJobs',
  'pending',
  'clients',
  'tables',
] as const

/** What is not in a list. */
export interface ContestRest extends Pick<ImportedContest, 'source' | 'settings' | 'configuration'> {
  readonly files: readonly Omit<ImportedFile, 'open'>[]
  /** By the rules of the source; null if the score formula of this contest decides. */
  readonly expected: ExpectedStandings | null
  /** Of the configuration of rCTF. */
  readonly config: {
    readonly scoreProvider: unknown
    readonly tokenKey: Buffer | null
  }
}

export type ContestPart =
  | { readonly kind: 'rows'; readonly list: (typeof LISTS)[number]; readonly rows: readonly unknown[] }
  | { readonly kind: 'rest'; readonly rest: ContestRest; readonly findings: readonly Finding[] }
  | { readonly kind: 'submissions'; readonly rows: readonly ImportedSubmission[] }
  /** Replaces the earlier ones. */
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] }

const ROWS_OF_A_PART = 200

/** Lists, then the rest, then the submissions, which are read while they are written, then the findings. */
export async function* readContestParts(file: ContestFile): AsyncGenerator<ContestPart> {
  const report = createReport()
  await using source = await openSource(file, report)
  const { contest, expected, config } = await source.read()
  const lists = { ...contest, tables: contest.tables.flatMap(tableParts) }
  for (const list of LISTS)
    for await (const rows of parts<unknown>(lists[list], list === 'tables' ? 1 : ROWS_OF_A_PART))
      yield { kind: 'rows', list, rows }
  const rest = {
    source: contest.source,
    settings: contest.settings,
    configuration: contest.configuration,
    files: contest.files.map(({ link, name, key, sha256 }) => ({ link, name, key, sha256 })),
    expected,
    config,
  }
  yield { kind: 'rest', rest, findings: report.findings() }
  for await (const rows of parts(contest.submissions(), ROWS_OF_A_PART)) yield { kind: 'submissions', rows }
  yield { kind: 'findings', findings: report.findings() }
}

/** At least one, so that an empty table is counted. */
function tableParts({ rows, ...table }: ImportedTable): ImportedTable[] {
  const count = Math.max(1, Math.ceil(rows.length / ROWS_OF_A_PART))
  return Array.from({ length: count }, (_, at) => ({
    ...table,
    rows: rows.slice(at * ROWS_OF_A_PART, (at + 1) * ROWS_OF_A_PART),
  }))
}

async function* parts<T>(rows: Iterable<T> | AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let part: T[] = []
  for await (const row of rows) {
    part.push(row)
    if (part.length < size) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

interface Source extends AsyncDisposable {
  read(): Promise<Pick<ContestRest, 'expected' | 'config'> & { readonly contest: ImportedContest }>
}

async function openSource(file: ContestFile, report: Report): Promise<Source> {
  if (file.kind === 'ctfd') {
    const archive = await openCtfdArchive(file.path, report)
    return {
      async read() {
        const contest = await readCtfd({ archive, options: file.options, report })
        return { contest, expected: contest.expected(), config: NO_CONFIG }
      },
      [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose](),
    }
  }
  const config = await configOf(file.configuration)
  const described = config ? describe(config.values) : NO_CONFIG
  const tables = await openDump(file.path)
  const { divisions, mapped, now } = file
  const context: ProviderContext = { fetch, log: SILENT, now: () => now, dataDir: '' }
  return {
    async read() {
      const uploads = { folder: null, origin: null, fetch }
      const request = { tables, config, divisions, mapped, uploads, context, report }
      return {
        contest: await readRctf(request),
        expected: null,
        config: described,
      }
    },
    [Symbol.asyncDispose]: () => tables[Symbol.asyncDispose](),
  }
}

const NO_CONFIG = { scoreProvider: null, tokenKey: null }

function describe(config: Json): ContestRest['config'] {
  return { scoreProvider: config['scoreProvider'] ?? null, tokenKey: tokenKeyOf(config) }
}

/** What is worth telling is in the report. */
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

async function configOf(files: readonly ReceivedConfiguration[]): Promise<RctfConfig | null> {
  if (files.length === 0) return null
  const texts = files.map(async ({ name, path }) => ({ name, text: await readFile(path, 'utf8') }))
  return await parseRctfConfig(await Promise.all(texts))
}
