import { createHash } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { putChallengeV2, readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { exportChallengeArchive, importChallengeArchive } from '@pennant/contract/challenge-archive.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { uploadFilesV2 } from '@pennant/contract/uploads.ts'
import { createWave } from '@pennant/contract/waves.ts'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { zipOf } from '../../../../test/zips.ts'

const maxRequestBodySize = 8 * 1024 * 1024

let contest: Contest
let admin: Member
beforeAll(async () => {
  contest = await startContest({ config: { maxRequestBodySize } })
})
// Each test is another organiser, because imports are limited.
beforeEach(async () => {
  admin = await contest.admin()
})
afterAll(() => contest[Symbol.asyncDispose]())

interface Where {
  readonly contest: Contest
  readonly token: string
}

const here = (): Where => ({ contest, token: admin.token })

type Query = Parameters<typeof send>[1]

function send(archive: Buffer, query: { dryRun?: 'true'; plan?: string } = {}, where = here()) {
  const form = new FormData()
  form.append('archive', new File([new Uint8Array(archive)], 'challenges.zip'))
  return where.contest.call(importChallengeArchive, { token: where.token, query, form })
}

async function download(ids?: string, { contest: from, token } = here()): Promise<Buffer> {
  const result = await from.call(exportChallengeArchive, { token, query: { ids } })
  expect(result.kind).toBe('goodChallengeArchiveFile')
  return Buffer.from(await (result.data as unknown as Blob).arrayBuffer())
}

const yamlZip = (documents: Readonly<Record<string, string>>) =>
  zipOf(Object.entries(documents).map(([name, content]) => ({ name, content })))

async function put(id: string, data: object, { contest: to, token } = here()): Promise<void> {
  const result = await to.call(putChallengeV2, { token, params: { id }, body: { data } })
  expect(result.kind).toBe('goodChallengeUpdateV2')
}

async function read(id: string, { contest: from, token } = here()) {
  const result = await from.call(readAdminChallengeV2, { token, params: { id } })
  return result.kind === 'goodAdminChallenge' ? (result.data as Record<string, unknown>) : null
}

async function upload(name: string, content: string): Promise<unknown> {
  const form = new FormData()
  form.append('files', new File([content], name))
  const { data } = await contest.call(uploadFilesV2, { token: admin.token, form })
  return (data as unknown[])[0]
}

const whole = {
  name: 'Crème brûlée: "the" shop',
  description: '# Title\n\nText with `code`\n\n- a\n- b\n',
  category: 'Web/Exploits',
  author: 'alice',
  tags: ['easy', 'yes', '1'],
  flags: [
    { provider: 'flags/static', config: { flag: 'flag{static}' } },
    { provider: 'flags/regex', config: { pattern: '^flag\\{[a-z]+\\}$', flags: 'i', flagValue: 'flag{x}' } },
    { provider: 'flags/dynamic', config: { base: 'flag{changing}', mode: 'tail' } },
  ],
  points: { min: 50, max: 450 },
  tiebreakEligible: false,
  sortWeight: -2.5,
  hidden: true,
  releaseTime: Date.UTC(2031, 4, 1, 12, 30, 15, 123),
  scoring: { kind: 'dynamic', source: { transport: 'webhook', secret: 'pushed' } },
}

describe('export and import', () => {
  test('a fresh server gets equal challenges with their files', async () => {
    const files = [
      await upload('src.zip', 'one'),
      await upload('src.zip', 'two'),
      await upload('ünï code.txt', 'three'),
      { name: 'elsewhere', url: 'https://files.example/big.iso', size: 5_000_000_000 },
    ]
    await put('whole', { ...whole, files })
    await put('a/b c', { name: 'plain', scoring: { kind: 'static' } })
    const archive = await download()
    await using fresh = await startContest()
    const there = { contest: fresh, token: (await fresh.admin()).token }
    const result = await send(archive, {}, there)
    expect(result).toMatchObject({
      kind: 'goodChallengeArchiveImport',
      data: { problems: [], ignored: [], challenges: [{ state: 'created' }, { state: 'created' }] },
    })
    for (const id of ['whole', 'a/b c']) expect(await read(id, there)).toEqual(await read(id))
    const [first] = ((await read('whole', there))?.['files'] as { url: string }[] | undefined) ?? []
    expect(await (await fetch(fresh.url + first?.url)).text()).toBe('one')
    // The same contest has the same archive, byte for byte.
    expect((await download(undefined, there)).equals(archive)).toBe(true)
    expect(await readdir(fresh.app.providers.uploads.stagingFolder)).toEqual([])
  })

  test('an import where the archive came from changes nothing', async () => {
    const before = await read('whole')
    const result = await send(await download('whole'))
    expect(result).toMatchObject({
      kind: 'goodChallengeArchiveImport',
      data: { challenges: [{ id: 'whole', state: 'unchanged', fields: [] }] },
    })
    expect(await read('whole')).toEqual(before)
  })

  test('the chosen challenges are exported, and an unknown one is an error', async () => {
    const only = (await download('a%2Fb%20c')).toString('latin1')
    expect([only.includes('flag{static}'), only.includes('plain')]).toEqual([false, true])
    const result = await contest.call(exportChallengeArchive, {
      token: admin.token,
      query: { ids: 'whole,none' },
    })
    expect(result.kind).toBe('badChallenge')
  })

  test('a list of ids that is too long is refused', async () => {
    const query = { ids: 'x'.repeat(6001) }
    const result = await contest.call(exportChallengeArchive, { token: admin.token, query })
    expect(result.kind).toBe('badBody')
  })

  test('a file that the store lost is reported instead of being left out', async () => {
    await put('lost', { files: [await upload('gone.bin', 'gone')] })
    const sha256 = createHash('sha256').update('gone').digest('hex')
    await rm(join(contest.app.providers.uploads.servedFolder ?? '', sha256), { recursive: true })
    const result = await contest.call(exportChallengeArchive, { token: admin.token, query: { ids: 'lost' } })
    expect(result).toMatchObject({
      kind: 'badChallengeFiles',
      data: { files: [{ challenge: 'lost', name: 'gone.bin' }] },
    })
  })

  test('the download is a named file that no one caches', async () => {
    const response = await fetch(`${contest.url}/api/v2/admin/challenges/archive?ids=whole`, {
      headers: { authorization: `Bearer ${admin.token}` },
    })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="challenges.zip"',
      'cache-control': 'no-store',
      'content-length': String((await response.arrayBuffer()).byteLength),
    })
  })
})

describe('the plan', () => {
  test('shows what changes and writes nothing', async () => {
    await put('plan-a', { name: 'a', flag: 'flag{a}', hidden: true })
    await put('plan-b', { name: 'b' })
    const archive = yamlZip({
      'web/plan-a/challenge.yaml': 'name: new\nhidden: true\nflags: [{ flag: "flag{a}" }]\n',
      'web/plan-b/challenge.yaml': 'name: b\ncategory: ""\n',
      'web/plan-c/challenge.yaml': 'name: c\n',
      'web/plan-c/files/a.txt': 'a',
      'README.md': '',
    })
    const before = [await read('plan-a'), await countActions()]
    const result = await send(archive, { dryRun: 'true' })
    expect(result).toMatchObject({
      kind: 'goodChallengeArchivePlan',
      data: {
        challenges: [
          { id: 'plan-a', path: 'web/plan-a', state: 'changed', fields: ['name', 'category'] },
          { id: 'plan-b', name: 'b', state: 'unchanged', fields: [] },
          { id: 'plan-c', state: 'created', fields: ['name', 'category', 'hidden', 'points', 'files'] },
        ],
        problems: [],
        ignored: ['README.md'],
        ignoredCount: 1,
      },
    })
    expect([await read('plan-a'), await countActions(), await read('plan-c')]).toEqual([...before, null])
    const sha256 = createHash('sha256').update('a').digest('hex')
    expect((await fetch(`${contest.url}/uploads/${sha256}/a.txt`)).status).toBe(404)
  })

  test('what an archive does not say keeps its value, and a new challenge is hidden', async () => {
    await put('partial', { ...whole, name: 'before' })
    const before = await read('partial')
    const documents = {
      'x/partial/challenge.yaml': 'name: after\ncategory: Web/Exploits',
      'x/born/challenge.yaml': '{}',
    }
    expect((await send(yamlZip(documents))).kind).toBe('goodChallengeArchiveImport')
    expect(await read('partial')).toEqual({ ...before, name: 'after' })
    expect(await read('born')).toMatchObject({
      name: 'born',
      category: 'x',
      hidden: true,
      points: { min: 100, max: 500 },
    })
  })

  test('an import of something else than the plan is refused', async () => {
    await put('raced', { name: 'one', category: 'web' })
    const archive = yamlZip({ 'web/raced/challenge.yaml': 'name: two' })
    const planned = await send(archive, { dryRun: 'true' })
    const { plan } = planned.data as { plan: string }
    await put('raced', { author: 'someone else' })
    const refused = await send(archive, { plan })
    expect(refused).toMatchObject({
      kind: 'badChallengeArchivePlan',
      data: { challenges: [{ id: 'raced', fields: ['name'] }] },
    })
    expect(await read('raced')).toMatchObject({ name: 'one', author: 'someone else' })
    const next = (refused.data as { plan: string }).plan
    expect((await send(archive, { plan: next })).kind).toBe('goodChallengeArchiveImport')
  })
})

describe('an archive with a problem', () => {
  test('writes nothing and reports every problem', async () => {
    await put('solved', { name: 'solved', category: 'web', scoring: { kind: 'decay' } })
    const { id: teamId } = await contest.team()
    await contest.db.query(sql`
      insert into solves (id, challenge_id, team_id, ip, created_at)
      values (gen_random_uuid(), 'solved', ${teamId}, '203.0.113.1', now())`)
    const wave = await contest.call(createWave, {
      token: admin.token,
      body: { data: { name: 'Wave 2', openAt: Date.UTC(2031, 1, 1) } },
    })
    if (wave.kind !== 'goodWave') throw new Error(wave.kind)
    await put('waved', { name: 'waved', category: 'web', waveId: wave.data.wave.id })
    const archive = yamlZip({
      'web/good/challenge.yaml': 'name: good',
      'web/flags/challenge.yaml':
        'flags: [{ kind: regex, pattern: "(" }, { flag: x }, { kind: none }, { kind: static, flag: x, extra: 1 }]',
      'web/settings/challenge.yaml': 'instancer: {}\nadminBot: { code: x }\nscoring: { kind: dynamic }',
      'web/solved/challenge.yaml': 'scoring: { kind: dynamic, secret: x }',
      'web/waved/challenge.yaml': 'releaseTime: 2032-01-01T00:00:00Z',
      'web/broken/challenge.yaml': '{',
    })
    const dry = await send(archive, { dryRun: 'true' })
    const problems = [
      ['web/broken', /^is not valid YAML/],
      ['web/flags', /^flags\.0: pattern: .*regular expression/],
      ['web/flags', /^flags\.2: provider: there are flags\/static/],
      ['web/flags', /^flags\.3: .*extra/],
      ['web/settings', /^scoring\.secret: is missing/],
      ['web/settings', /^instancer: No instancer is configured/],
      ['web/settings', /^adminBot: No admin bot is configured/],
      ['web/solved', /^scoring\.kind: decay->dynamic blocked, 1 solves exist/],
      ['web/waved', /^releaseTime: is the time of the wave/],
    ].map(([folder, reason]) => ({
      path: `${String(folder)}/challenge.yaml`,
      reason: expect.stringMatching(reason as RegExp) as unknown,
    }))
    expect(dry).toMatchObject({ kind: 'goodChallengeArchivePlan', data: { problems, problemCount: 9 } })
    const before = await countActions()
    expect(await send(archive)).toMatchObject({ kind: 'badChallengeArchive', data: { problems } })
    expect([await read('good'), await countActions()]).toEqual([null, before])
  })

  test('one file under many names is bounded by what would be stored', async () => {
    const size = maxRequestBodySize / 2
    const names = Array.from({ length: 9 }, (_, at) => `  - { path: files/x, name: n${at} }`)
    const archive = zipOf([
      { name: 'a/many/challenge.yaml', content: `files:\n${names.join('\n')}` },
      { name: 'a/many/files/x', content: Buffer.alloc(size) },
    ])
    expect((await send(archive)).data).toMatchObject({
      problems: [{ path: '', reason: `the listed files have more than ${4 * maxRequestBodySize} bytes` }],
    })
  })

  test('reports at most 200 problems and their number', async () => {
    const documents = Array.from({ length: 250 }, (_, at) => [`web/c${at}/challenge.yaml`, 'nope: 1'])
    const { data } = await send(yamlZip(Object.fromEntries(documents) as Record<string, string>), {
      dryRun: 'true',
    })
    const { problems, problemCount } = data as { problems: unknown[]; problemCount: number }
    expect([problems.length, problemCount]).toEqual([200, 250])
  })

  test('a hostile archive is a problem, not a failure', async () => {
    const archive = zipOf([{ name: '../../etc/cron.d/x', content: 'x' }])
    expect(await send(archive)).toMatchObject({
      kind: 'badChallengeArchive',
      data: { problems: [{ path: '../../etc/cron.d/x', reason: 'the path leaves its folder' }] },
    })
    expect((await send(Buffer.from('nothing'), { dryRun: 'true' })).kind).toBe('goodChallengeArchivePlan')
  })
})

describe('the form', () => {
  const post = (form: FormData) =>
    contest.call(importChallengeArchive, { token: admin.token, query: {}, form })

  test('needs exactly one file named archive', async () => {
    const none = new FormData()
    none.append('files', new File(['x'], 'x.zip'))
    expect(await post(none)).toMatchObject({ kind: 'badBody', data: { reason: 'body:archive: is missing' } })
    const text = new FormData()
    text.append('archive', 'x')
    expect(await post(text)).toMatchObject({
      kind: 'badBody',
      data: { reason: 'body:archive: must be a file' },
    })
    const two = new FormData()
    for (const name of ['a.zip', 'b.zip']) two.append('archive', new File(['x'], name))
    expect(await post(two)).toMatchObject({
      kind: 'badBody',
      data: { reason: 'body:archive: must be one file' },
    })
  })

  test('is limited like an upload', async () => {
    const result = await send(Buffer.alloc(maxRequestBodySize + 1))
    expect(result).toMatchObject({ kind: 'badBodySize', data: { maxSize: maxRequestBodySize } })
  })

  test('an archive that cannot be stored is an error', async () => {
    await using broken = await startContest()
    const there = { contest: broken, token: (await broken.admin()).token }
    // A file in the place of the folder.
    const { stagingFolder } = broken.app.providers.uploads
    await rm(stagingFolder, { recursive: true })
    await writeFile(stagingFolder, '')
    expect((await send(yamlZip({ 'a/b/challenge.yaml': '{}' }), {}, there)).kind).toBe('badArchiveUpload')
  })
})

test('reading and writing need their permissions', async () => {
  const token = async (perms: number) => ({ contest, token: (await contest.admin(perms)).token })
  const archive = yamlZip({ 'a/perms/challenge.yaml': '{}' })
  const { challsRead, challsWrite } = permissions
  const others = 63 & ~challsRead & ~challsWrite
  const exported = async (where: Where) =>
    (await contest.call(exportChallengeArchive, { token: where.token, query: {} })).kind
  expect(await exported(await token(others | challsWrite))).toBe('badPerms')
  for (const perms of [0, others | challsRead, others | challsWrite])
    for (const query of [{}, { dryRun: 'true' }] as Query[])
      expect((await send(archive, query, await token(perms))).kind, String(perms)).toBe('badPerms')
  expect((await send(archive, {}, { contest, token: 'none' })).kind).toBe('badToken')
  expect(await exported({ contest, token: 'none' })).toBe('badToken')
  expect((await send(archive, {}, await token(challsRead | challsWrite))).kind).toBe(
    'goodChallengeArchiveImport',
  )
})

test('an import is recorded with its challenges, fields and files', async () => {
  const archive = yamlZip({ 'a/audited/challenge.yaml': 'name: x', 'a/audited/files/f': 'audited' })
  await send(archive)
  const rows = await contest.db.query<{ action: string; target: string | null; keys: string[] }>(sql`
    select action, target, keys from admin_actions where actor_id = ${admin.id} order by id desc limit 3`)
  const sha256 = createHash('sha256').update('audited').digest('hex')
  expect(rows.toReversed()).toEqual([
    { action: 'upload.store', target: null, keys: [`${sha256}/f`] },
    {
      action: 'challenge.create',
      target: 'audited',
      keys: ['name', 'category', 'hidden', 'points', 'files'],
    },
    { action: 'challenge.import', target: null, keys: ['audited'] },
  ])
})

test('after fifty wrong flags the others are not checked', async () => {
  const flags = '  - { kind: regex, pattern: "(" }\n'.repeat(60)
  const result = await send(yamlZip({ 'web/many/challenge.yaml': `name: many\nflags:\n${flags}` }), {
    dryRun: 'true',
  })
  const { problems } = result.data as { problems: { reason: string }[] }
  expect(problems.filter(({ reason }) => reason.includes('pattern'))).toHaveLength(50)
  expect(problems.filter(({ reason }) => reason.includes('Not checked'))).toHaveLength(10)
})

test('concurrent imports of one archive create its challenges once', async () => {
  const archive = yamlZip({ 'a/once/challenge.yaml': 'name: once' })
  const results = await Promise.all([send(archive), send(archive), send(archive)])
  const states = results.map(({ data }) => (data as { challenges: { state: string }[] }).challenges[0]?.state)
  expect(states.toSorted()).toEqual(['created', 'unchanged', 'unchanged'])
})

async function countActions(): Promise<number> {
  const [row] = await contest.db.query<{ count: number }>(sql`select count(*) from admin_actions`)
  return row?.count ?? 0
}
