import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as contract from '@pennant/contract/contest-import.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { QueryOf } from '@pennant/contract/route.ts'
import type { Database } from '../../../db/database.ts'
import type { Tokens } from '../../../features/people/accounts/tokens.ts'
import { AbortedError, type IncomingBody } from '../../../http/request/body.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { StartError } from '../../../lib/errors.ts'
import type { Markers } from '../../../lib/key-value.ts'
import type { Log } from '../../../lib/log.ts'
import type { ScoreFormula } from '../../../lib/score-formula.ts'
import type { ProviderContext } from '../../../providers/provider.ts'
import type { Uploads } from '../../../providers/uploads/uploads.ts'
import type { EventTimes } from '../contest.ts'
import { importRefusal } from '../empty.ts'
import type { Finding } from '../report.ts'
import { importContest, type ImportResult } from '../run.ts'
import { clientLines, teamLines } from '../secrets.ts'
import { receiveContest, type Received } from './receive.ts'
import { claimImport, findRunningImport, removeFiles, type ImportClaim } from './running.ts'
import { openSource } from './source.ts'

export interface ContestImportDeps {
  readonly db: Database
  readonly markers: Markers
  readonly now: () => number
  readonly log: Log
  readonly tokens: Pick<Tokens, 'issueTeam'>
  readonly uploads: Uploads
  readonly score: ScoreFormula
  /** Of the configuration. */
  readonly times: EventTimes
  readonly tokenKey: Buffer
  readonly loginTimeoutMs: number
  readonly divisions: Readonly<Record<string, string>>
  readonly defaultDivision: string
  readonly origin: string
  readonly dataDir: string
  readonly fetch: ProviderContext['fetch']
  readonly maxRequestBodySize: number
  /** Where pictures in texts may be. */
  readonly pictureSources: () => readonly string[]
  /** Resolves when this process sees the imported contest. */
  readonly caughtUp: () => Promise<unknown>
}

/** After the upload. Longer imports are for the command line, where nothing else is served. */
const MAX_IMPORT_MS = 20 * MINUTE_MS

export function contestImportRoutes(deps: ContestImportDeps): Endpoint[] {
  const { db, markers, maxRequestBodySize } = deps
  const refusalOf = () => db.withClient(importRefusal)
  return [
    on(contract.readContestImport, async () =>
      contract.goodContestImportState({
        running: await findRunningImport(markers),
        refusal: await refusalOf(),
        maxBytes: maxRequestBodySize,
      }),
    ),

    on(contract.importContest, async ({ incoming, query, team, ip }) => {
      const refusal = await refusalOf()
      if (refusal !== null) return contract.badContestNotEmpty({ reason: refusal })
      const first = {
        source: query.source,
        isPlan: query.plan === undefined,
        teamId: team.id,
        step: 'upload' as const,
        done: 0,
        total: 0,
        startedAt: deps.now(),
      }
      await using claim = await claimImport(deps, first)
      if (!claim) return contract.badContestImportBusy({ running: await findRunningImport(markers) })
      const folder = importFolder(deps.dataDir)
      // No one else imports, so these are of processes that crashed.
      await removeFiles(folder, Infinity)
      const received = await receiveContest({ ...deps, folder }, incoming)
      if ('refused' in received) return received.refused
      await using _ = received
      return await carryOut(deps, { received, claim, query, incoming, actor: { actorId: team.id, ip } })
    }),
  ]
}

/** The folder for archives while they are imported. */
export function importFolder(dataDir: string): string {
  return join(dataDir, 'imports')
}

interface Work {
  readonly received: Received
  readonly claim: ImportClaim
  readonly query: QueryOf<typeof contract.importContest>
  readonly incoming: IncomingBody
  readonly actor: { readonly actorId: string; readonly ip: string }
}

async function carryOut(deps: ContestImportDeps, work: Work) {
  const { plan: accepted } = work.query
  const hashOf = (findings: readonly Finding[]) => planOf(work, findings)
  let result: ImportResult
  try {
    result = await run(deps, work, hashOf)
  } catch (error) {
    if (error instanceof StartError) return contract.badContestImportSource({ reason: error.message })
    if (isNamed(error, 'AbortError'))
      throw new AbortedError('the client left during an import', { cause: error })
    if (!isNamed(error, 'TimeoutError')) throw error
    const reason = `The import took longer than ${MAX_IMPORT_MS / MINUTE_MS} minutes. Use \`pennant import\`. Nothing was imported.`
    return contract.badContestImportSource({ reason })
  }
  const { outcome, source, counts, findings, configuration, contest, secrets } = result
  const report = {
    plan: hashOf(findings),
    source,
    counts: counts && { ...counts },
    findings: findings.map((finding) => ({ ...finding, examples: [...finding.examples] })),
    configuration,
  }
  if (outcome === 'has problems')
    return accepted === undefined ? contract.goodContestImportPlan(report) : contract.badContestImport(report)
  if (outcome === 'planned') return contract.goodContestImportPlan(report)
  if (outcome === 'loses something') return contract.badContestImportPlan(report)
  await deps.caughtUp()
  const links = work.query.source === 'ctfd' ? teamLines(contest.teams, deps) : ''
  return contract.goodContestImport({ ...report, secrets: clientLines(secrets) + links })
}

async function run(
  deps: ContestImportDeps,
  { received, claim, query, incoming, actor }: Work,
  hashOf: (findings: readonly Finding[]) => string,
): Promise<ImportResult> {
  const signal = AbortSignal.any([AbortSignal.timeout(MAX_IMPORT_MS), closedSignal(incoming)])
  await using source = openSource({ ...deps, received, query, signal }, MAX_IMPORT_MS)
  return await deps.db.withClient((client) =>
    importContest(
      { ...deps, pictureSources: deps.pictureSources(), client, tokenKeyMark: null, actor },
      {
        read: source.read,
        isPlan: query.plan === undefined,
        acceptsLoss: (findings) => hashOf(findings) === query.plan,
        issuesSecrets: true,
        storesPictures: query.storePictures === 'true',
        signal,
        onProgress(progress) {
          signal.throwIfAborted()
          claim.update(progress)
        },
      },
    ),
  )
}

/** Aborted when no one waits for the response any more: the secrets in it would be lost. */
function closedSignal({ raw }: IncomingBody): AbortSignal {
  const closed = new AbortController()
  raw.socket.once('close', () => closed.abort())
  if (raw.socket.destroyed) closed.abort()
  return closed.signal
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof DOMException && error.name === name
}

/** The same for the same file, options and losses. */
function planOf({ received, query }: Work, findings: readonly Finding[]): string {
  const lost = findings.filter(({ severity }) => severity !== 'note')
  const files = [received.archive, ...received.configuration].map(({ sha256 }) => sha256)
  // Chosen with the plan, and notes are not lost.
  const parts = [files, { ...query, plan: undefined, storePictures: undefined }, lost]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
