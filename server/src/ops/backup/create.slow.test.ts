import { EventEmitter, once } from 'node:events'
import { readFile, stat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { submitFlag } from '@pennant/contract/submissions.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  archiveAt,
  backUp,
  emptyDatabase,
  endAll,
  ends,
  folder,
  keys,
  restoreTo,
  uploadKey,
  uploadsIn,
} from '../../../test/backups.ts'
import { putChallenge, putFeed } from '../../../test/contest-data.ts'
import { challengeRow } from '../../../test/contest-rows.ts'
import { openConnections } from '../../../test/database.ts'
import { noon, startContest, type Contest } from '../../../test/harness.ts'
import type { Uploads } from '../../providers/uploads/uploads.ts'
import type { Manifest } from './manifest.ts'
import { checkArchive } from './read-archive.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const TEAMS = 30
const CHALLENGES = 10
const longKey = `${'b'.repeat(64)}/${'ü'.repeat(150)}.txt`

afterAll(endAll)

async function standingsOf({ url }: Contest): Promise<string> {
  const paths = [
    '/api/v2/leaderboard/now?limit=100&offset=0',
    '/api/v2/leaderboard/graph?limit=100',
    '/api/v1/leaderboard/now?limit=100&offset=0',
  ]
  const bodies = await Promise.all(paths.map(async (path) => (await fetch(url + path)).text()))
  return bodies.join('\n')
}

describe('a backup of a running server', () => {
  let contest: Contest
  let uploads: Uploads
  let path = ''
  let acknowledged: string[] = []
  let manifest: Manifest
  beforeAll(async () => {
    contest = await startContest()
    ends.push(() => contest[Symbol.asyncDispose]())
    const ids = Array.from({ length: CHALLENGES }, (_, n) => `task-${n}`)
    for (const id of ids) await putChallenge(contest.db, challengeRow(id))
    await putChallenge(contest.db, challengeRow('live', { scoringKind: 'dynamic' }))
    const teams = await Promise.all(Array.from({ length: TEAMS }, () => contest.team()))
    const [first] = teams
    await putFeed(contest.db, {
      challengeId: 'live',
      teamId: first?.id ?? '',
      points: 70,
      scoredAt: noon,
      delta: 70,
      tickAt: noon,
    })
    uploads = await uploadsIn(await folder())
    await uploads.store(uploadKey, Buffer.from('content'))
    await uploads.store(longKey, Buffer.alloc(300_000, 'long'))
    path = join(await folder(), 'backup.tar')

    const done: string[] = []
    const started = new EventEmitter()
    const isUnderWay = once(started, 'third')
    const load = teams.map(async ({ id: team, token }) => {
      for (const id of ids) {
        const { kind } = await contest.call(submitFlag, { token, params: { id }, body: { flag: 'flag{x}' } })
        if (kind !== 'goodFlag') throw new Error(`the response was ${kind}`)
        done.push(`${id} ${team}`)
        if (done.length === (TEAMS * CHALLENGES) / 3) started.emit('third')
      }
    })
    await Promise.race([isUnderWay, Promise.all(load)])
    acknowledged = [...done]
    ;({ manifest } = await backUp(contest.database.url, uploads, [path]))
    await Promise.all(load)
  })

  test('is restored elsewhere with every acknowledged solve and byte-identical standings', async () => {
    const target = await emptyDatabase()
    const { restored } = await restoreTo(target.url, archiveAt(path))
    expect(restored).toMatchObject({ keys, uploads: 2 })
    const db = await target.db()
    const solves = await db.query<{ id: string; pair: string; at: Date }>(
      sql`select id, challenge_id || ' ' || team_id as pair, created_at as at from solves`,
    )
    const pairs = new Set(solves.map(({ pair }) => pair))
    expect(acknowledged.filter((pair) => !pairs.has(pair))).toEqual([])
    // The load went on, so the snapshot is strictly in the past.
    expect(solves.length).toBeLessThan(TEAMS * CHALLENGES)

    // Commit order: all solves up to the last restored one are there, and none after it.
    const lastAt = new Date(Math.max(...solves.map(({ at }) => at.getTime())))
    const ids = solves.map(({ id }) => id)
    expect(
      await contest.db.query(sql`select from solves where created_at < ${lastAt} and id <> all (${ids})`),
    ).toEqual([])
    await contest.db.change(async (tx) => {
      const late = await tx.query<{ challenge: string; team: string }>(sql`
        delete from solves where id <> all (${ids}) returning challenge_id as challenge, team_id as team`)
      tx.changed(
        'solves',
        late.flatMap(({ challenge, team }) => [challenge, team]),
      )
    })
    const database = { ...contest.database, open: () => openConnections(target.url) }
    await using other = await startContest({ beside: { ...contest, database } })
    expect(await standingsOf(other)).toBe(await standingsOf(contest))
    expect(JSON.parse((await standingsOf(other)).split('\n')[0] ?? '').data.leaderboard.length).toBe(TEAMS)
  })

  test('has the row counts, files and checksums in its manifest, and only its user can read it', async () => {
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(path, '..'))).toEqual(['backup.tar'])
    const rows = Object.fromEntries(manifest.tables.map(({ name, rows: count }) => [name, count]))
    expect(rows).toMatchObject({ challenges: CHALLENGES + 1, teams: TEAMS, feed_scores: 1 })
    // Submissions and solves are of one snapshot.
    expect(rows['submissions']).toBe(rows['solves'])
    expect(await checkArchive(archiveAt(path))).toEqual(manifest)
  })

  test('restores the content of uploads, including a name that the disk cannot store', async () => {
    const { uploads: restored } = await restoreTo((await emptyDatabase()).url, archiveAt(path))
    expect(await readFile(join(restored.servedFolder ?? '', uploadKey), 'utf8')).toBe('content')
    expect((await restored.find(longKey))?.size).toBe(300_000)
  })
})
