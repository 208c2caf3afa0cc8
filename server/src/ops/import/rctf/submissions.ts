import type {
  ImportedBotJob,
  ImportedDynamicFlag,
  ImportedSolve,
  ImportedSubmission,
  SubmissionResult,
} from '../contest.ts'
import { isUuid, uuidOf } from '../ids.ts'
import { integerOf, listOf, objectOf, parseJson } from '../json.ts'
import { readPostgresInstant } from '../micros.ts'
import type { Keep } from '../kept.ts'
import type { Report } from '../report.ts'
import type { Row } from './copy-text.ts'
import { UNKNOWN_ADDRESS, type Known } from './solves.ts'
import { requireInstant } from './teams.ts'
import type { RctfTables } from './tables.ts'

const RESULTS: Readonly<Record<string, SubmissionResult>> = {
  correct: 'correct',
  // The solve counts; `cheatedFrom` in the details stays.
  cheated: 'correct',
  incorrect: 'incorrect',
  already_solved: 'already_solved',
  queued: 'queued',
  active_job: 'active_job',
  invalid_input: 'invalid_input',
  bad_instancer_state: 'bad_instancer_state',
}

/** What the first pass over the audit log finds out. */
export interface Audit {
  readonly count: number
  /** Addresses of solves, by the id of the solve in the source. */
  readonly addresses: ReadonlyMap<string, string>
}

export function createAudit(keep: Keep) {
  const addresses = new Map<string, string>()
  let count = 0
  return {
    add(row: Row) {
      count += 1
      const solve = row['related_id']
      if (
        row['kind'] === 'flag' &&
        RESULTS[row['result'] ?? ''] === 'correct' &&
        solve &&
        !addresses.has(solve)
      ) {
        const ip = row['ip'] ?? UNKNOWN_ADDRESS
        keep({ bytes: solve.length + ip.length, values: 2 })
        addresses.set(solve, ip)
      }
    },
    read: (): Audit => ({ count, addresses }),
  }
}

/** Solves from before addresses were stored have that of their row in the audit log, if there is one. */
export function withAddresses(
  solves: readonly ImportedSolve[],
  { ids, audit }: { readonly ids: ReadonlyMap<string, string>; readonly audit: Audit },
): ImportedSolve[] {
  const byId = new Map([...ids].map(([source, id]) => [id, source]))
  return solves.map((solve) =>
    solve.ip === UNKNOWN_ADDRESS
      ? { ...solve, ip: audit.addresses.get(byId.get(solve.id) ?? '') ?? UNKNOWN_ADDRESS }
      : solve,
  )
}

interface Solved {
  readonly solves: readonly ImportedSolve[]
  readonly ids: ReadonlyMap<string, string>
}

/** The audit log. A solve without a correct submission, as all are in version 1, gets one. */
export async function* readSubmissions(
  tables: RctfTables,
  { solves, ids }: Solved,
): AsyncGenerator<ImportedSubmission> {
  const byId = new Map(solves.map((solve) => [solve.id, solve]))
  const written = new Set<string>()
  for await (const row of tables.rows('submission_logs')) {
    const submission = readOne(row, ids)
    if (submission.result !== 'correct') {
      yield submission
      continue
    }
    // One row only is the solve itself, and none for a solve that was removed.
    const solve = byId.get(submission.relatedId ?? '')
    const isSolve = solve !== undefined && !written.has(solve.id)
    if (isSolve) written.add(solve.id)
    yield isSolve
      ? { ...submission, challengeId: solve.challengeId, teamId: solve.teamId, ip: solve.ip, at: solve.at }
      : { ...submission, result: 'already_solved', relatedId: null }
  }
  for (const { id, challengeId, teamId, ip, at } of solves) {
    if (written.has(id)) continue
    const details = { imported: true }
    yield {
      id: uuidOf('solve', id),
      kind: 'flag',
      challengeId,
      teamId,
      ip,
      result: 'correct',
      details,
      relatedId: id,
      at,
    }
  }
}

function readOne(row: Row, ids: ReadonlyMap<string, string>): ImportedSubmission {
  const sourceId = row['id'] ?? ''
  const kind = row['kind'] === 'admin_bot' ? 'admin_bot' : 'flag'
  const given = RESULTS[row['result'] ?? ''] ?? 'incorrect'
  const related = row['related_id'] ?? null
  const solveId =
    related === null
      ? null
      : (ids.get(related) ?? (isUuid(related) ? related : uuidOf('rctf solve', related)))
  // Without a solve, the row could as well be a repeated flag.
  const result = kind === 'flag' && given === 'correct' && solveId === null ? 'already_solved' : given
  return {
    id: isUuid(sourceId) ? sourceId : uuidOf('rctf submission', sourceId),
    kind,
    challengeId: row['challenge_id'] ?? '',
    teamId: row['user_id'] ?? '',
    ip: row['ip'] ?? UNKNOWN_ADDRESS,
    result,
    details: objectOf(parseJson(row['details'] ?? null)),
    relatedId: kind === 'admin_bot' ? related : result === 'correct' ? solveId : null,
    at: readPostgresInstant(row['created_at'] ?? '') ?? 0,
  }
}

export function readDynamicFlags(
  rows: readonly Row[],
  { teams, challenges, report }: Known,
): ImportedDynamicFlag[] {
  return rows
    .filter((row) => teams.has(row['user_id'] ?? '') && challenges.has(row['challenge_id'] ?? ''))
    .map((row) => ({
      challengeId: row['challenge_id'] ?? '',
      teamId: row['user_id'] ?? '',
      base: row['base'] ?? '',
      flag: row['flag'] ?? '',
      allowDuplicate: row['allow_duplicate'] === 't',
      at: requireInstant(row['created_at'] ?? null, report),
    }))
}

/** Jobs of an older version have one flag as text. Jobs that did not end have failed. */
export function readBotJobs(rows: readonly Row[], { teams, challenges, report }: Known): ImportedBotJob[] {
  return rows
    .filter((row) => teams.has(row['user_id'] ?? '') && challenges.has(row['challenge_id'] ?? ''))
    .map((row) => {
      const isEnded = row['status'] === 'completed' || row['status'] === 'failed'
      if (!isEnded) unfinished(report, row)
      return {
        id: row['id'] ?? '',
        challengeId: row['challenge_id'] ?? '',
        teamId: row['user_id'] ?? '',
        status: row['status'] === 'completed' ? ('completed' as const) : ('failed' as const),
        configRevision: row['config_revision'] ?? '',
        flags: flagsOf(row),
        inputs: objectOf(parseJson(row['inputs'] ?? null)),
        instances: listOf(parseJson(row['instancer_instances'] ?? null)),
        timeoutMs: integerOf(row['timeout_ms']) ?? 0,
        log: row['logs'] ?? null,
        createdAt: requireInstant(row['created_at'] ?? null, report),
        updatedAt: requireInstant(row['updated_at'] ?? null, report),
      }
    })
}

function unfinished(report: Report, row: Row): void {
  report.note('bot-jobs', 'Jobs of the admin bot were not finished and are failed.', row['id'] ?? '')
}

function flagsOf(row: Row): readonly unknown[] {
  if (row['flags'] !== undefined) return listOf(parseJson(row['flags']))
  const flag = row['flag'] ?? ''
  return flag === '' ? [] : [{ provider: 'flags/static', flag }]
}
