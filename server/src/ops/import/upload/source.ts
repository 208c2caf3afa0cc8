import type { importContest } from '@pennant/contract/contest-import.ts'
import type { QueryOf } from '@pennant/contract/route.ts'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import type { ZipTree } from '../../../features/organisers/archives/read-zip.ts'
import { StartError } from '../../../lib/errors.ts'
import { IsolationError, runIsolated } from '../../../lib/isolated.ts'
import type { Log } from '../../../lib/log.ts'
import type { ProviderContext } from '../../../providers/provider.ts'
import type { ImportedContest, ImportedSubmission } from '../contest.ts'
import { openCtfdZip } from '../ctfd/archive.ts'
import { openerOf } from '../ctfd/links.ts'
import { mappedDivisions } from '../divisions.ts'
import { expectedOf } from '../rctf/read.ts'
import { checkTokens } from '../rctf/tokens.ts'
import { createReport, type Report } from '../report.ts'
import type { ImportOptions } from '../run.ts'
import { LISTS, type ContestFile, type ContestPart, type ContestRest } from './contest-parts.ts'
import type { Received } from './receive.ts'

interface SourceRequest {
  readonly received: Received
  readonly query: QueryOf<typeof importContest>
  readonly signal: AbortSignal
  readonly divisions: Readonly<Record<string, string>>
  readonly defaultDivision: string
  readonly tokenKey: Buffer
  readonly loginTimeoutMs: number
  readonly now: () => number
  readonly log: Log
  readonly fetch: ProviderContext['fetch']
  readonly dataDir: string
}

interface OpenSource extends AsyncDisposable {
  readonly read: ImportOptions['read']
}

/** More than what `kept.ts` allows takes with what is made of it. */
const MAX_MEMORY_MIB = 1024

/**
 * Reads the received file in another process, which runs until the source is disposed. Reading throws a StartError if the file
 * cannot be one of its kind, or if it needs too much memory.
 */
export function openSource(request: SourceRequest, limitMs: number): OpenSource {
  const input = fileOf(request)
  const { signal } = request
  const parts = runIsolated<ContestPart>({
    task: 'contest',
    input,
    maxMemoryMib: MAX_MEMORY_MIB,
    limitMs,
    signal,
  })
  let zip: ZipTree | null = null
  return {
    async read(report) {
      const { lists, rest } = await readParts(parts, report)
      zip = input.kind === 'ctfd' ? await openCtfdZip(input.path) : null
      const expected = await standingsOf(request, lists, rest)
      const contest = { ...lists, ...rest, expected, files: filesOf(rest, zip) }
      if (input.kind === 'rctf') checkKey(request, { contest, report, sourceKey: rest.config.tokenKey })
      return { ...contest, submissions: () => submissionsOf(parts, report) }
    },
    async [Symbol.asyncDispose]() {
      await parts.return()
      await zip?.[Symbol.asyncDispose]()
    },
  }
}

function fileOf({ received, query, divisions, defaultDivision, now }: SourceRequest): ContestFile {
  const { path } = received.archive
  const mapped = mappedDivisions((query.divisions ?? '').split(/\r?\n/).filter((line) => line.trim() !== ''))
  if (query.source !== 'ctfd') {
    const { configuration } = received
    return { kind: 'rctf', path, configuration, divisions: Object.keys(divisions), mapped, now: now() }
  }
  const { hidden = 'ban', awards = 'adjust', scoring = 'static', locked = 'hide', admins, end } = query
  const choices = { hidden, awards, scoring, locked, admins: admins === 'true' }
  const endAt = end === undefined ? null : parseTimestamp(end)
  return {
    kind: 'ctfd',
    path,
    options: { ...choices, end: endAt, divisions, defaultDivision, mapped, issuesLinks: true },
  }
}

type Parts = AsyncGenerator<ContestPart, void>
type Lists = Pick<ImportedContest, (typeof LISTS)[number]>

async function readParts(
  parts: Parts,
  report: Report,
): Promise<{ readonly lists: Lists; readonly rest: ContestRest }> {
  const lists = Object.fromEntries(LISTS.map((list) => [list, [] as unknown[]]))
  for (let part = await next(parts); part; part = await next(parts)) {
    if (part.kind === 'rows') lists[part.list]?.push(...part.rows)
    if (part.kind !== 'rest') continue
    report.include(part.findings)
    return { lists: lists as unknown as Lists, rest: part.rest }
  }
  throw new Error('the process that reads a contest ended early')
}

/** The parts after the rest: they can be read once. */
async function* submissionsOf(parts: Parts, report: Report): AsyncGenerator<ImportedSubmission> {
  for (let part = await next(parts); part; part = await next(parts)) {
    if (part.kind === 'submissions') yield* part.rows
    if (part.kind === 'findings') report.include(part.findings)
  }
}

/** Null at the end. */
async function next(parts: Parts): Promise<ContestPart | null> {
  try {
    return (await parts.next()).value ?? null
  } catch (error) {
    if (!(error instanceof IsolationError)) throw error
    throw new StartError(`The import ${error.message}. Use \`pennant import\`. Nothing was imported.`)
  }
}

async function standingsOf(
  { log, now, fetch, dataDir }: SourceRequest,
  lists: Lists,
  { source, settings, expected, config }: ContestRest,
): Promise<ImportedContest['expected']> {
  if (expected) return () => expected
  const context = { fetch, log, now, dataDir }
  const { scoreProvider } = config
  // The other process has reported a provider that is unknown.
  const report = createReport()
  return await expectedOf(lists, {
    isV1: source === 'rCTF v1',
    config: { scoreProvider },
    settings,
    context,
    report,
  })
}

function filesOf({ files }: ContestRest, zip: ZipTree | null): ImportedContest['files'] {
  return files.map((file) => ({ ...file, open: zip && openerOf(zip, file.link) }))
}

interface KeyCheck {
  readonly contest: Pick<ImportedContest, 'teams'>
  readonly report: Report
  readonly sourceKey: Uint8Array | null
}

function checkKey(
  { received, tokenKey, loginTimeoutMs }: SourceRequest,
  { contest, report, sourceKey }: KeyCheck,
): void {
  const knownToken = received.token === '' ? null : received.token
  checkTokens(contest, {
    report,
    key: tokenKey,
    sourceKey: sourceKey && Buffer.from(sourceKey),
    knownToken,
    loginTimeoutMs,
  })
}
