import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { importContest, readContestImport } from '@pennant/contract/contest-import.ts'
import { login } from '@pennant/contract/accounts.ts'
import { getLeaderboardV2 } from '@pennant/contract/leaderboard.ts'
import { allPermissions, permissions } from '@pennant/contract/permissions.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UnavailableError } from '../../../lib/errors.ts'
import { temporaryFolder } from '../../../../test/folder.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import {
  at,
  challenge,
  config,
  entriesOf,
  flag,
  solve,
  solvesOf,
  user,
  type Tables,
} from '../../../../test/import/ctfd-archive.ts'
import { zipOf } from '../../../../test/zips.ts'
import { importFolder } from './routes.ts'
import { claimImport, clearImports } from './running.ts'

const maxRequestBodySize = 8 * 1024 * 1024

let contest: Contest
let owner: Member
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  folder = await temporaryFolder()
  const divisions = { open: 'Open', school: 'Students' }
  contest = await startContest({ config: { divisions, dataDir: folder.path, maxRequestBodySize } })
  owner = await contest.admin()
})
afterEach(async () => {
  await contest[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const submissions = [solve(1, [1, 1]), solve(2, [1, 2], { date: at('11:05:00') }), solve(3, [2, 2])]
const tablesOf = (more: Tables = {}): Tables => ({
  config: config({}),
  users: [user(1), user(2), user(3)],
  challenges: [challenge(1), challenge(2)],
  flags: [flag(1, 1), flag(2, 2)],
  submissions,
  solves: solvesOf(submissions),
  ...more,
})
const whole = () => zipOf(entriesOf(tablesOf()))
const lossy = () => zipOf(entriesOf(tablesOf({ tokens: [{ id: 1, value: 'very-secret' }] })))

type Query = Partial<Parameters<typeof sendTo>[2]>

function sendTo(
  where: Contest,
  archive: Buffer | string,
  query: { source?: 'ctfd'; plan?: string; divisions?: string; end?: string },
) {
  const form = new FormData()
  form.append('archive', new File([new Uint8Array(Buffer.from(archive))], 'export.zip'))
  return where.call(importContest, { token: owner.token, query: { source: 'ctfd', ...query }, form })
}

const send = (archive: Buffer | string, query: Query = {}) => sendTo(contest, archive, query)

async function planOf(archive: Buffer | string, query: Query = {}) {
  const planned = await send(archive, query)
  if (planned.kind !== 'goodContestImportPlan') throw new Error(planned.kind)
  return planned.data
}

const state = async (where = contest) => {
  const result = await where.call(readContestImport, { token: owner.token })
  if (result.kind !== 'goodContestImportState') throw new Error(result.kind)
  return result.data
}

const teamCount = async () =>
  (await contest.db.query<{ count: number }>(sql`select count(*) from teams where perms = 0`))[0]?.count

const leftFiles = () => readdir(importFolder(folder.path))

describe('an export of CTFd', () => {
  test('is planned, imported and visible on every replica; the links sign in', async () => {
    await using replica = await startContest({ beside: contest })
    const plan = await planOf(whole())
    expect(plan).toMatchObject({ source: 'CTFd 3.8.2', counts: { teams: 3, challenges: 2, solves: 3 } })
    expect(plan.findings.filter(({ severity }) => severity !== 'note')).toEqual([])
    expect(await teamCount()).toBe(0)

    const imported = await send(whole(), { plan: plan.plan })
    if (imported.kind !== 'goodContestImport') throw new Error(imported.kind)
    const lines = imported.data.secrets.trimEnd().split('\n')
    expect(lines.map((line) => line.split('\t').slice(0, 3))).toEqual(
      [1, 2, 3].map((id) => ['team', `User ${id}`, `u${id}@users.example`]),
    )
    const link = lines[1]?.split('\t')[3] ?? ''
    expect(link.startsWith('https://ctf.example/verify#token=')).toBe(true)
    const teamToken = decodeURIComponent(link.split('token=')[1] ?? '')
    const signedIn = await contest.call(login, { body: { teamToken } })
    expect(signedIn.kind).toBe('goodLogin')
    expect(JSON.stringify(contest.logLines)).not.toContain(teamToken.slice(0, 20))

    for (const where of [contest, replica]) {
      await where.app.stores.follower.catchUp()
      const board = await where.call(getLeaderboardV2, { query: { limit: '10', offset: '0' } })
      expect(board).toMatchObject({
        data: {
          leaderboard: [
            { name: 'User 2', score: 300 },
            { name: 'User 1', score: 100 },
          ],
        },
      })
    }
    expect(await leftFiles()).toEqual([])
  })

  test('leaves an entry in the action log with the name of the organiser and the route', async () => {
    const { plan } = await planOf(whole())
    await send(whole(), { plan })
    expect(
      await contest.db.query(sql`
        select actor_id, actor_name, action, route, ip, after ->> 'source' as source, after ->> 'teams' as teams
        from admin_actions order by id desc limit 1`),
    ).toEqual([
      {
        actor_id: owner.id,
        actor_name: contest.world().team(owner.id)?.name,
        action: 'contest.import',
        route: 'POST /api/v2/admin/import',
        ip: '127.0.0.1',
        source: 'CTFd 3.8.2',
        teams: '3',
      },
    ])
  })

  test('is imported only with the losses and options that were accepted', async () => {
    const plan = await planOf(lossy())
    expect(plan.findings[0]).toMatchObject({ severity: 'loss', code: 'apiTokens' })
    expect((await send(lossy(), { plan: 'unknown' })).kind).toBe('badContestImportPlan')
    expect((await send(lossy(), { plan: plan.plan, end: '2030-05-02T11:02:00Z' })).kind).toBe(
      'badContestImportPlan',
    )
    expect(await teamCount()).toBe(0)
    expect((await send(lossy(), { plan: plan.plan })).kind).toBe('goodContestImport')
    expect(await teamCount()).toBe(3)
  })

  test('with problems is reported and never imported', async () => {
    const brackets = [{ id: 1, name: 'Alumni' }]
    const users = [user(1, { bracket_id: 1 })]
    const archive = zipOf(entriesOf(tablesOf({ users, brackets, submissions: [], solves: [] })))
    const plan = await planOf(archive)
    expect(plan.findings[0]).toMatchObject({ severity: 'problem', code: 'divisions' })
    expect((await send(archive, { plan: plan.plan })).kind).toBe('badContestImport')
    const mapped = await planOf(archive, { divisions: 'Alumni=school\n' })
    expect(mapped.findings.filter(({ severity }) => severity === 'problem')).toEqual([])
  })

  test.each([
    ['that leaves its folder', [{ name: '../x', content: 'x' }], /leaves its folder/],
    [
      'that is a bomb',
      [{ name: 'db/config.json', content: '0'.repeat(3_000_000), deflate: true }],
      /its size/,
    ],
    ['of something else', [{ name: 'readme', content: 'x' }], /no export of CTFd/],
  ])('%s is refused', async (_, entries, reason) => {
    const refused = await send(zipOf(entries))
    expect(refused).toMatchObject({
      kind: 'badContestImportSource',
      data: { reason: expect.stringMatching(reason) as unknown },
    })
    expect(await leftFiles()).toEqual([])
    expect((await state()).running).toBeNull()
  })

  test('is limited like an upload', async () => {
    const sent = await send(Buffer.alloc(maxRequestBodySize + 1))
    expect(sent).toMatchObject({ kind: 'badBodySize', data: { maxSize: maxRequestBodySize } })
  })

  test('that cannot be stored is an error', async () => {
    // A file in the place of the folder.
    await writeFile(importFolder(folder.path), '')
    expect((await send(whole())).kind).toBe('badArchiveUpload')
  })

  test('needs the part `archive`', async () => {
    const form = new FormData()
    form.append('other', 'x')
    const result = await contest.call(importContest, { token: owner.token, query: { source: 'ctfd' }, form })
    expect(result).toMatchObject({ kind: 'badBody', data: { reason: 'body:archive: is missing' } })
  })
})

test('only whoever has all permissions may import or see imports', async () => {
  for (const missing of allPermissions) {
    const { token } = await contest.admin(63 & ~permissions[missing])
    const form = new FormData()
    form.append('archive', new File(['x'], 'x'))
    expect((await contest.call(importContest, { token, query: { source: 'ctfd' }, form })).kind).toBe(
      'badPerms',
    )
    expect((await contest.call(readContestImport, { token })).kind).toBe('badPerms')
  }
})

test('nothing is imported into a contest with teams', async () => {
  await contest.team()
  expect((await state()).refusal).toMatch(/1 teams/)
  expect((await send(whole())).kind).toBe('badContestNotEmpty')
})

test('one import runs at a time on all replicas, which show it, and a crash ends it', async () => {
  await using replica = await startContest({ beside: contest })
  const running = {
    source: 'ctfd' as const,
    isPlan: false,
    teamId: owner.id,
    step: 'rows' as const,
    done: 3,
    total: 20,
    startedAt: contest.clock.now(),
  }
  const { markers } = contest.app.stores.keyValue
  await markers.claim('contest-import', JSON.stringify(running), 30_000)
  expect((await state(replica)).running).toEqual(running)
  expect(await sendTo(replica, whole(), {})).toMatchObject({
    kind: 'badContestImportBusy',
    data: { running },
  })
  contest.clock.advance(31_000)
  expect((await state(replica)).running).toBeNull()
  expect((await sendTo(replica, whole(), {})).kind).toBe('goodContestImportPlan')
})

test('the claim shows the progress and ends with its disposal', async () => {
  const { now, log } = contest.app.stores
  const first = {
    source: 'ctfd' as const,
    isPlan: true,
    teamId: owner.id,
    step: 'upload' as const,
    done: 0,
    total: 0,
    startedAt: now(),
  }
  const deps = { markers: contest.app.stores.keyValue.markers, log }
  const claim = await claimImport(deps, first)
  if (!claim) throw new Error('not claimed')
  expect(await claimImport(deps, first)).toBeNull()
  claim.update({ step: 'files', done: 2, total: 5 })
  await expect
    .poll(async () => (await state()).running)
    .toEqual({ ...first, step: 'files', done: 2, total: 5 })
  await claim[Symbol.asyncDispose]()
  expect((await state()).running).toBeNull()
})

test('an import that stalled for longer than its claim leaves the claim of the next one alone', async () => {
  const { now, log } = contest.app.stores
  const { markers } = contest.app.stores.keyValue
  const first = {
    source: 'ctfd' as const,
    isPlan: false,
    teamId: owner.id,
    step: 'rows' as const,
    done: 0,
    total: 0,
    startedAt: now(),
  }
  const stalled = await claimImport({ markers, log }, first)
  if (!stalled) throw new Error('not claimed')
  contest.clock.advance(31_000)
  const second = await claimImport({ markers, log }, { ...first, startedAt: now() })
  if (!second) throw new Error('not claimed')
  stalled.update({ step: 'storing', done: 1, total: 1 })
  second.update({ step: 'files', done: 2, total: 5 })
  await expect.poll(async () => (await state()).running).toMatchObject({ step: 'files', startedAt: now() })
  await stalled[Symbol.asyncDispose]()
  expect((await state()).running).toMatchObject({ startedAt: now() })
  await second[Symbol.asyncDispose]()
  expect((await state()).running).toBeNull()
})

test('a client that leaves during its upload leaves neither a file nor an import', async () => {
  const gone = new AbortController()
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(
        Buffer.from('--x\r\ncontent-disposition: form-data; name="archive"; filename="a"\r\n\r\nPK'),
      )
    },
  })
  const sent = fetch(`${contest.url}${importContest.path}?source=ctfd`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'multipart/form-data; boundary=x' },
    body,
    signal: gone.signal,
    duplex: 'half',
  } as RequestInit).catch(() => 'aborted')
  await expect.poll(async () => (await state()).running?.step).toBe('upload')
  await expect.poll(async () => (await leftFiles()).length).toBe(1)
  const [name = ''] = await leftFiles()
  const found = await stat(join(importFolder(folder.path), name))
  expect(found.mode & 0o777).toBe(0o600)
  gone.abort()
  expect(await sent).toBe('aborted')
  await expect.poll(async () => (await state()).running).toBeNull()
  expect(await leftFiles()).toEqual([])
})

test('files of crashed imports are deleted at the start, unless an import is running', async () => {
  const { keyValue, now } = contest.app.stores
  const imports = importFolder(folder.path)
  await mkdir(imports, { recursive: true })
  const left = join(imports, 'left')
  await writeFile(left, 'secret')
  await utimes(left, now() / 1000 - 60, now() / 1000 - 60)
  await keyValue.markers.claim('contest-import', '{}', 30_000)
  await clearImports(imports, { markers: keyValue.markers, now })
  expect(await leftFiles()).toEqual(['left'])
  const unreachable = {
    ...keyValue.markers,
    find: () => Promise.reject(new UnavailableError('Redis unreachable')),
  }
  await clearImports(imports, { markers: unreachable, now })
  expect(await leftFiles()).toEqual(['left'])
  await keyValue.markers.remove('contest-import')
  await clearImports(imports, { markers: keyValue.markers, now })
  expect(await leftFiles()).toEqual([])
})
