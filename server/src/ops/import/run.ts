import { createHash, randomBytes } from 'node:crypto'
import { escapeIdentifier, type ClientBase } from 'pg'
import { recordAdminAction, type ActionBy } from '../../db/admin-actions.ts'
import { codeOf } from '../../db/failures.ts'
import { loggedChange } from '../../lib/logged-fields.ts'
import type { ScoreFormula } from '../../lib/score-formula.ts'
import type { Uploads } from '../../providers/uploads/uploads.ts'
import { findViolations } from '../verify/invariants.ts'
import { computeStandings } from '../verify/standings.ts'
import { compareStandings } from './compare.ts'
import type { EventTimes, ImportedContest } from './contest.ts'
import { requireEmptyContest } from './empty.ts'
import { collectFiles, storeFiles, type StagedFiles } from './files.ts'
import { resolveMarkers } from './links.ts'
import { withSafeLinks } from './safe-links.ts'
import { likelyUrl } from '../../features/organisers/archives/pictures.ts'
import { openStaging } from '../../features/site/uploads/staging.ts'
import { findPictures, reportLongTexts, withContents, withPictureFiles } from './pictures.ts'
import { createReport, hasLosses, hasProblems, type Finding, type Report } from './report.ts'
import { writeContest, writeLinks, type Counts, type Linked } from './write.ts'

export type ImportStep = 'reading' | 'files' | 'rows' | 'checking' | 'storing'

export interface Progress {
  readonly step: ImportStep
  readonly done: number
  /** 0 if it is not known. */
  readonly total: number
}

export interface ImportTarget {
  /** Runs in the transaction of an import, before its commit. */
  readonly beforeCommit?: () => Promise<void>
  /** A connection of its own, without a transaction. */
  readonly client: ClientBase
  readonly uploads: Pick<Uploads, 'stagingFolder' | 'find' | 'store'>
  readonly score: ScoreFormula
  /** Of the configuration. */
  readonly times: EventTimes
  /** Where pictures in texts may be. */
  readonly pictureSources: readonly string[]
  /** Fingerprint of the token key that the server will use; null keeps the stored one. */
  readonly tokenKeyMark: string | null
  readonly now: () => number
  readonly actor: ActionBy
}

export interface ImportOptions {
  readonly read: (report: Report) => Promise<ImportedContest>
  /** Rolls everything back at the end. */
  readonly isPlan: boolean
  readonly acceptsLoss: boolean | ((findings: readonly Finding[]) => boolean)
  /** Whether the caller hands new secrets of external clients on; else they have to be made again. */
  readonly issuesSecrets: boolean
  /** Whether pictures of other sites are fetched and stored. A plan only names them. */
  readonly storesPictures: boolean
  readonly onProgress: (progress: Progress) => void
  /** Ends the fetching of pictures; `onProgress` ends the rest. */
  readonly signal?: AbortSignal
}

export interface IssuedSecret {
  readonly id: string
  readonly name: string
  readonly secret: string
}

export interface ImportResult {
  readonly outcome: 'planned' | 'imported' | 'has problems' | 'loses something'
  readonly source: string
  /** Null if the rows could not be written. */
  readonly counts: Counts | null
  readonly findings: readonly Finding[]
  readonly configuration: string
  readonly secrets: readonly IssuedSecret[]
  readonly contest: ImportedContest
}

const BEGIN = `begin;
  set local statement_timeout = 0;
  set local lock_timeout = '10s';
  set local idle_in_transaction_session_timeout = 0`
/** No one registers, edits or solves meanwhile. Reads continue. */
const LOCK = 'lock table teams, challenges, solves, submissions, settings in share row exclusive mode'

/**
 * Imports a contest in one transaction. A plan is the same, rolled back at the end, so it reports what an import would
 * report. Throws a StartError if the source cannot be read or the contest is not empty.
 */
export async function importContest(target: ImportTarget, options: ImportOptions): Promise<ImportResult> {
  const { client, uploads } = target
  const { onProgress } = options
  await requireEmptyContest(client)
  const report = createReport()
  onProgress({ step: 'reading', done: 0, total: 0 })
  const read = withSafeLinks(await options.read(report), report)
  const addresses = findPictures(read, target.pictureSources, report)
  await using staging = openStaging(uploads.stagingFolder)
  const { signal } = options
  const contest =
    options.storesPictures && !options.isPlan
      ? await withPictureFiles(read, { addresses, staging, report, signal })
      : read
  const total = contest.files.length
  await using files = await collectFiles(contest.files, {
    stagingFolder: uploads.stagingFolder,
    report,
    onFile: (done) => onProgress({ step: 'files', done, total }),
  })
  if (contest.clients.length > 0 && !options.issuesSecrets)
    for (const { name } of contest.clients) report.without('clientSecrets', name)
  await client.query(BEGIN)
  try {
    const result = await inTransaction({ target, options, contest, files, report })
    await client.query(result.outcome === 'imported' ? 'commit' : 'rollback')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

interface Import {
  readonly target: ImportTarget
  readonly options: ImportOptions
  readonly contest: ImportedContest
  readonly files: StagedFiles
  readonly report: Report
}

async function inTransaction(work: Import): Promise<ImportResult> {
  const { target, options, contest, report } = work
  const { client } = target
  await client.query(LOCK)
  await requireEmptyContest(client)
  const secrets = contest.clients.map(({ id, name }) => ({
    id,
    name,
    secret: randomBytes(32).toString('base64url'),
  }))
  reportLongTexts(linkedOf(contest, likelyFile), report)
  const counts = hasProblems(report.findings()) ? null : await writeRows(work, secrets)
  const result = {
    source: contest.source,
    counts,
    findings: report.findings(),
    configuration: contest.configuration,
    secrets: options.issuesSecrets ? secrets : [],
    contest,
  }
  if (hasProblems(result.findings)) return { ...result, outcome: 'has problems' }
  if (options.isPlan) return { ...result, outcome: 'planned' }
  const accepts = options.acceptsLoss
  const isAccepted = typeof accepts === 'boolean' ? accepts : accepts(result.findings)
  if (hasLosses(result.findings) && !isAccepted) return { ...result, outcome: 'loses something' }
  await finish(work, counts ?? {})
  const stored = report.findings()
  if (hasProblems(stored)) return { ...result, findings: stored, outcome: 'has problems' }
  await target.beforeCommit?.()
  return { ...result, outcome: 'imported' }
}

/** Writes and checks the rows. Null if the database refuses a row: then the transaction has failed. */
async function writeRows(
  { target, options, contest, report }: Import,
  secrets: readonly IssuedSecret[],
): Promise<Counts | null> {
  const { client, score, times, now } = target
  const secretOf = new Map(secrets.map(({ id, secret }) => [id, secret]))
  let tables = 0
  try {
    const counts = await writeContest(contest, {
      client,
      secretHashOf: ({ id }) =>
        createHash('sha256')
          .update(secretOf.get(id) ?? '')
          .digest(),
      onRows: () => options.onProgress({ step: 'rows', done: tables++, total: 0 }),
    })
    options.onProgress({ step: 'checking', done: 0, total: 0 })
    // Without statistics the checks take time that grows with the square of the rows.
    const others = new Set(contest.tables.map(({ table }) => escapeIdentifier(table)))
    await client.query(
      `analyze ${['teams', 'challenges', 'solves', 'submissions', 'feed_scores', ...others].join(', ')}`,
    )
    const rules = { score, ...times }
    const computed = await computeStandings(client, rules, { at: null, now: now() })
    compareStandings(contest.expected(score, times), computed, { teams: contest.teams, report })
    for (const { check, count, examples } of await findViolations(client))
      report.problem(
        'invariants',
        'The imported rows break a rule that `pennant verify` checks.',
        `${check}: ${count}, ${examples.join('; ')}`,
      )
    return counts
  } catch (error) {
    const reason = refusalOf(error)
    if (reason === null) throw error
    report.problem('rows', 'The database refuses a row of the source.', reason)
    return null
  }
}

/** Class 22: values that a column cannot store; class 23: constraints. Details name the row. */
function refusalOf(error: unknown): string | null {
  const code = codeOf(error)
  if (typeof code !== 'string' || !/^2[23]/.test(code) || !(error instanceof Error)) return null
  const detail = 'detail' in error && typeof error.detail === 'string' ? ` ${error.detail}` : ''
  return `${error.message}.${detail}`
}

async function finish({ target, options, contest, files, report }: Import, counts: object): Promise<void> {
  const { client, uploads, tokenKeyMark, actor } = target
  const total = files.found.size
  const stored = await storeFiles(contest.files, files, {
    uploads,
    onFile: (done) => options.onProgress({ step: 'storing', done, total }),
  })
  const linked = linkedOf(contest, (number) => stored.get(number) ?? null)
  reportLongTexts(linked, report)
  await writeLinks(client, linked)
  if (tokenKeyMark !== null)
    await client.query(
      `insert into deployment (token_key_mark) values ($1)
       on conflict ("only") do update set token_key_mark = excluded.token_key_mark`,
      [tokenKeyMark],
    )
  // Followers notice that the entry they saw last is gone, and load everything again. A follower that has seen no entry
  // does so if there are more than it reads at once.
  await client.query('delete from changes')
  await client.query(`insert into changes (kind, ids) select 'settings', '{}' from generate_series(1, 1001)`)
  const change = loggedChange(null, { source: contest.source, ...counts })
  await client.query(recordAdminAction({ ...actor, ...change, action: 'contest.import', target: null }))
}

/** As long as the address that a file will most likely have. */
const likelyFile = () => ({
  url: likelyUrl({ sha256: '0'.repeat(64), name: `${'0'.repeat(16)}.webp` }),
  size: 0,
})

/** The contest with the links of stored files instead of markers. */
function linkedOf(
  { teams, challenges, tables, settings, files }: ImportedContest,
  storedOf: (file: number) => { readonly url: string; readonly size: number } | null,
): Linked {
  const urlOf = (number: number) => storedOf(number)?.url ?? files[number]?.link ?? ''
  // A link into the store of the source shows nothing.
  const pictureOf = (number: number) => storedOf(number)?.url ?? ''
  return {
    teams: teams.map((team) => ({ ...team, avatarUrl: resolveMarkers(team.avatarUrl, pictureOf) || null })),
    challenges: challenges.map((challenge) => ({
      ...challenge,
      description: resolveMarkers(challenge.description, urlOf),
      files: challenge.files.map((file) => ({ ...file, url: resolveMarkers(file.url, urlOf) })),
    })),
    tables: withContents(tables, (text) => resolveMarkers(text, urlOf)),
    settings: resolveMarkers(settings, urlOf),
  }
}
