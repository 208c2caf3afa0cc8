import { readdir } from 'node:fs/promises'
import { login } from '@pennant/contract/accounts.ts'
import { importContest } from '@pennant/contract/contest-import.ts'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/folder.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { addContest } from '../../../../test/import/rctf-rows.ts'
import { createRctfSource } from '../../../../test/import/rctf-source.ts'
import { importFolder } from './routes.ts'

let contest: Contest
let owner: Member
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  folder = await temporaryFolder()
  const divisions = { open: 'Open', school: 'Students' }
  contest = await startContest({ config: { divisions, dataDir: folder.path } })
  owner = await contest.admin()
})
afterEach(async () => {
  await contest[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

interface Sent {
  readonly plan?: string
  readonly token?: string
  readonly configuration?: Readonly<Record<string, string>>
}

function send(dump: string, { plan, token, configuration = {} }: Sent = {}) {
  const form = new FormData()
  form.append('archive', new File([dump], 'rctf.sql'))
  if (token !== undefined) form.append('token', token)
  for (const [name, text] of Object.entries(configuration))
    form.append('configuration', new File([text], name))
  const query = { source: 'rctf' as const, ...(plan !== undefined && { plan }) }
  return contest.call(importContest, { token: owner.token, query, form })
}

async function planOf(dump: string, sent: Sent = {}) {
  const planned = await send(dump, sent)
  if (planned.kind !== 'goodContestImportPlan') throw new Error(planned.kind)
  return { ...planned.data, codes: planned.data.findings.map(({ code }) => code) }
}

const leftFiles = () => readdir(importFolder(folder.path))

test('a dump is imported; a token of a team shows whether tokens stay valid', async () => {
  await using source = await createRctfSource('v2')
  await addContest(source)
  const dump = await source.dump()
  expect((await planOf(dump)).codes).toContain('tokens')
  const token = contest.app.stores.tokens.issueTeam('t1')
  const known = await planOf(dump, { token })
  expect(known.codes).not.toContain('tokens')
  const imported = await send(dump, { token, plan: known.plan })
  expect(imported).toMatchObject({ kind: 'goodContestImport', data: { secrets: '' } })
  expect((await contest.call(login, { body: { teamToken: token } })).kind).toBe('goodLogin')
  expect((await send('nonsense')).kind).toBe('badContestNotEmpty')
})

describe('the configuration', () => {
  const key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

  test('has what version 1 stores nowhere else; its files are merged in the order of their names', async () => {
    await using source = await createRctfSource('v1')
    await source.add('users', { id: 't1', name: 'Ants', email: 'a@x.example', division: 'open', perms: 0 })
    await source.add('challenges', {
      id: 'a',
      data: { name: 'A', flag: 'flag{a}', points: { min: 1, max: 9 } },
    })
    const dump = await source.dump()
    const times = `startTime: ${Date.UTC(2030, 4, 2)}\nendTime: ${Date.UTC(2030, 4, 3)}\n`
    const files = { '02.yaml': 'ctfName: New\n', '01.yaml': `ctfName: Old\ntokenKey: ${key}\n${times}` }
    expect((await planOf(dump)).codes).toEqual(
      expect.arrayContaining(['configuration', 'event-times', 'tokens']),
    )
    const planned = await planOf(dump, { configuration: files })
    expect(planned.codes).not.toContain('configuration')
    expect(planned.codes).not.toContain('event-times')
    // Not the key of this server.
    expect(planned.codes).toContain('tokens')
    expect(planned.configuration).toContain('scores/legacy')
    expect(JSON.stringify(contest.logLines)).not.toContain(key)

    const changed = { ...files, '02.yaml': 'ctfName: Newer\n' }
    const other = await send(dump, { configuration: changed, plan: planned.plan })
    expect(other.kind).toBe('badContestImportPlan')
    const imported = await send(dump, { configuration: files, plan: planned.plan })
    expect(imported.kind).toBe('goodContestImport')
    expect(
      await contest.db.query(
        sql`select data ->> 'ctfName' as name, (data -> 'endTime')::float8 as end from settings`,
      ),
    ).toEqual([{ name: 'New', end: Date.UTC(2030, 4, 3) }])
    expect(await leftFiles()).toEqual([])
  })

  test.each([
    [
      'broken YAML',
      { files: { 'a.yaml': 'x: [' }, kind: 'badContestImportSource', reason: /a\.yaml is not valid YAML/ },
    ],
    ['a list', { files: { 'a.yaml': '- x' }, kind: 'badContestImportSource', reason: /must be a map/ }],
    [
      'aliases',
      {
        files: { 'a.yaml': 'a: &x [1]\nb: *x' },
        kind: 'badContestImportSource',
        reason: /a\.yaml contains the/,
      },
    ],
    [
      'a short key',
      { files: { 'a.yaml': 'tokenKey: AAAA' }, kind: 'badContestImportSource', reason: /not 32 bytes/ },
    ],
    [
      'a large file',
      {
        files: { 'a.yaml': `# ${'x'.repeat(262_144)}` },
        kind: 'badBody',
        reason: /configuration: is too large/,
      },
    ],
    [
      'many files',
      {
        files: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`${index}.yaml`, 'a: 1'])),
        kind: 'badBody',
        reason: /configuration: has too many files/,
      },
    ],
  ] as const)('with %s is refused', async (_, { files, kind, reason }) => {
    const result = await send('never read', { configuration: files as Sent['configuration'] & {} })
    expect(result).toMatchObject({ kind, data: { reason: expect.stringMatching(reason) as string } })
    expect(await leftFiles()).toEqual([])
  })
})
