import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import { findFreePort } from '../../server/src/lib/free-port.ts'
import { createTokens } from '../../server/src/features/people/accounts/tokens.ts'
import { createDisposal } from '../../server/src/lib/disposal.ts'
import { startInstance, type Instance } from './instance.ts'
import { generate, PAST_MS, type Generated } from '../seed/large/generate.ts'
import { DIVISIONS, loadRows } from '../seed/large/load.ts'
import type { DataSet } from '../seed/large/sets.ts'

const TOKEN_KEY = Buffer.alloc(32, 7)

/** A team and a challenge that it has not solved, each with a full rate limit bucket. */
export interface Pair {
  readonly token: string
  readonly challengeId: string
}

/** A server of this checkout with a generated contest. */
export interface Contest extends AsyncDisposable {
  readonly instance: Instance
  readonly dataDir: string
  readonly databaseUrl: string
  readonly generated: Generated
  /** Seconds from the start of the process until it was ready, standings included. */
  readonly readyS: number
  /** Seconds that generating and loading the rows took. */
  readonly loadS: number
  /** Auth token of a team by its position. */
  tokenOf(team: number): string
  /** Team token (the one to sign in with) of a team by its position. */
  loginTokenOf(team: number): string
  /** Starts another server with the same database and settings. */
  startReplica(env?: Readonly<Record<string, string>>): Promise<Instance>
  /** Takes that many pairs, each only once. Fewer if there are no more. */
  takePairs(count: number): Pair[]
}

export interface ContestOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
  readonly serveArgs?: readonly string[]
}

/** Where the server's database listens: the one in `DATABASE_URL`, or the embedded one. */
export function databaseAddress(dataDir: string): string {
  const folder = encodeURIComponent(join(dataDir, 'postgres'))
  return process.env['DATABASE_URL'] ?? `postgres://pennant@/postgres?host=${folder}&port=5432`
}

/** Starts a server with the data set; `DATABASE_URL`, if set, must name an empty database. */
export async function openContest(
  set: DataSet,
  { env = {}, nodeArgs = [], serveArgs = [] }: ContestOptions = {},
): Promise<Contest> {
  const disposal = createDisposal()
  const dataDir = await mkdtemp(join(tmpdir(), 'pennant-bench-'))
  disposal.defer(() => rm(dataDir, { recursive: true, force: true }))
  const now = Date.now()
  const databaseUrl = databaseAddress(dataDir)
  const options = {
    dataDir,
    port: await findFreePort(),
    env: {
      LOG_LEVEL: 'warn',
      PENNANT_START_TIME: String(now - PAST_MS),
      PENNANT_TOKEN_KEY: TOKEN_KEY.toString('base64'),
      PENNANT_DIVISIONS: JSON.stringify(DIVISIONS),
      // All requests come from this machine's address.
      PENNANT_REGISTRATION_LIMIT_BURST: '1000000',
      PENNANT_HTTP_MAX_CONNECTIONS_PER_ADDRESS: '65536',
      ...env,
    },
  }
  try {
    const began = performance.now()
    const generated = generate(set)
    {
      // Creates the tables, and runs the embedded database while they are filled.
      await using _ = await startInstance(options)
      await loadRows(generated, { databaseUrl, now })
    }
    const startedAt = performance.now()
    const instance = await startInstance({ ...options, nodeArgs, serveArgs })
    disposal.defer(() => instance[Symbol.asyncDispose]())
    const ready = performance.now()
    const tokens = createTokens({ key: TOKEN_KEY, now: () => now, loginTimeoutMs: SECOND_MS })
    const idOf = (team: number) => generated.teamIds[team] ?? ''
    // A team has one token, because the server remembers what it has opened.
    const issued: string[] = []
    const tokenOf = (team: number) => (issued[team] ??= tokens.issueAuth(idOf(team)))
    return {
      instance,
      dataDir,
      databaseUrl,
      generated,
      readyS: (ready - startedAt) / SECOND_MS,
      loadS: (startedAt - began) / SECOND_MS,
      tokenOf,
      loginTokenOf: (team) => tokens.issueTeam(idOf(team)),
      async startReplica(more = {}) {
        const folder = await mkdtemp(join(tmpdir(), 'pennant-replica-'))
        const started = await startInstance({
          dataDir: folder,
          port: await findFreePort(),
          env: { ...options.env, DATABASE_URL: databaseUrl, ...more },
        })
        return {
          ...started,
          async [Symbol.asyncDispose]() {
            await started[Symbol.asyncDispose]()
            await rm(folder, { recursive: true, force: true })
          },
        }
      },
      takePairs: pairSource(generated, tokenOf),
      [Symbol.asyncDispose]: () => disposal[Symbol.asyncDispose](),
    }
  } catch (error) {
    await disposal[Symbol.asyncDispose]()
    throw error
  }
}

/** One flag of each team after the other, so that neighbouring pairs have different teams and challenges. */
function pairSource({ teamIds, challengeIds, hasSolved }: Generated, tokenOf: (team: number) => string) {
  function* pairs(): Generator<Pair> {
    for (let round = 0; round < challengeIds.length; round += 1) {
      for (let team = teamIds.length - 1; team >= 0; team -= 1) {
        const challenge = (team + round) % challengeIds.length
        const challengeId = challengeIds[challenge] ?? ''
        if (!hasSolved(team, challenge)) yield { token: tokenOf(team), challengeId }
      }
    }
  }
  const left = pairs()
  return (count: number): Pair[] => {
    const taken: Pair[] = []
    while (taken.length < count) {
      const next = left.next()
      if (next.done) break
      taken.push(next.value)
    }
    return taken
  }
}
