import { randomUUID } from 'node:crypto'
import type { Json } from '../../src/ops/import/json.ts'
import type { Report } from '../../src/ops/import/report.ts'
import { openLive } from '../../src/ops/import/rctf/live.ts'
import { readRctf } from '../../src/ops/import/rctf/read.ts'
import type { RctfTables } from '../../src/ops/import/rctf/tables.ts'
import type { ImportResult } from '../../src/ops/import/run.ts'
import { createRctfSource, type RctfSource } from './rctf-source.ts'
import { openTarget, providers, type Target } from './target.ts'

export interface Given {
  readonly config?: Json
  readonly divisions?: readonly string[]
  readonly mapped?: ReadonlyMap<string, string>
  readonly folder?: string
  readonly origin?: string
}

/** Reads a source for `Target.run`. */
export function reader(tables: RctfTables, { config, divisions, mapped, folder, origin }: Given = {}) {
  return (report: Report) =>
    readRctf({
      tables,
      config: config ? { values: config, layers: [{ source: 'rctf.yaml', values: config }] } : null,
      divisions: divisions ?? ['open', 'school'],
      mapped: mapped ?? new Map(),
      uploads: { folder: folder ?? null, origin: origin ?? null, fetch: globalThis.fetch },
      context: providers,
      report,
    })
}

export const at = (text: string) => `2030-05-02 ${text}+00`
export const team = (id: string, more: object = {}) => ({
  id,
  name: `Team ${id}`,
  email: `${id}@teams.example`,
  division: 'open',
  perms: 0,
  created_at: '2030-05-01 10:00:00.123456+00',
  ...more,
})
export const challenge = (id: string, more: object = {}) => ({
  id,
  data: {
    name: id,
    category: 'misc',
    author: 'ann',
    description: 'd',
    points: { min: 100, max: 500 },
    flags: [{ provider: 'flags/static', config: { flag: `flag{${id}}` } }],
    ...more,
  },
})
export const solve = (challengeid: string, userid: string, more: object = {}) => ({
  id: randomUUID(),
  challengeid,
  userid,
  createdat: at('11:30:00'),
  ...more,
})

/** Four teams, one of them banned, and four challenges, one hidden and one with pushed points. */
export async function addContest(source: RctfSource): Promise<void> {
  await source.add(
    'users',
    team('t1', { perms: 63, country_code: 'DE', status_text: 'hi' }),
    team('t2', { division: 'school' }),
    team('t3', { banned: true, score: 999 }),
    team('t4', { email: null, ctftime_id: '77' }),
  )
  await source.add('user_members', { id: 'm1', userid: 't1', email: 'one@example.org' })
  await source.add(
    'challenges',
    challenge('a'),
    challenge('b', { tiebreakEligible: false }),
    challenge('late', { hidden: true }),
    challenge('live', {
      scoring: { kind: 'dynamic', source: { transport: 'webhook', secret: 's' } },
      flags: [],
    }),
  )
  await source.add(
    'solves',
    solve('a', 't1'),
    solve('a', 't2', { createdat: at('11:31:00') }),
    solve('b', 't2', { createdat: at('11:32:00') }),
    solve('a', 't3', { createdat: at('11:20:00') }),
    solve('b', 't4', { submissionip: '203.0.113.9' }),
  )
}

export interface Moved extends AsyncDisposable {
  readonly source: RctfSource
  readonly target: Target
  /** Imports from the database of the source. */
  fromLive(given?: Given, options?: Parameters<Target['run']>[1]): Promise<ImportResult>
}

/** An empty source and an empty contest to import it into. */
export async function openMove(version: 'v1' | 'v2'): Promise<Moved> {
  const source = await createRctfSource(version)
  const target = await openTarget()
  return {
    source,
    target,
    async fromLive(given, options) {
      await using tables = await openLive(source.url)
      return await target.run(reader(tables, given), options)
    },
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]()
      await target[Symbol.asyncDispose]()
    },
  }
}
