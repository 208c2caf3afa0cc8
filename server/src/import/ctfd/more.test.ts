import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  at,
  challenge,
  config,
  entriesOf,
  flag,
  importEntries,
  solve,
  solvesOf,
  user,
  type Tables,
} from '../../../test/import/ctfd-archive.ts'
import { codesOf, openTarget, type Target } from '../../../test/import/target.ts'

let target: Target
beforeEach(async () => {
  target = await openTarget()
})
afterEach(() => target[Symbol.asyncDispose]())

const losses = (result: Parameters<typeof codesOf>[0]) =>
  codesOf(result).filter((code) => code.startsWith('loss'))
const examples = (result: Parameters<typeof codesOf>[0], code: string) =>
  result.findings.find((finding) => finding.code === code)?.examples

const submissions = [solve(1, [1, 1]), solve(2, [1, 2])]
const contest = (more: Tables = {}): Tables => ({
  config: config({}),
  users: [user(1), user(2)],
  challenges: [challenge(1)],
  flags: [flag(1, 1)],
  submissions,
  solves: solvesOf(submissions),
  ...more,
})

const awards = [
  { id: 1, user_id: 2, value: -30, category: 'hints', date: at('11:10:00') },
  { id: 2, user_id: 1, value: 0, category: 'hints', date: at('11:10:00') },
  { id: 3, user_id: 2, value: 5, date: at('11:20:00') },
]

test('25: awards and hints are lost together, with the difference of the standings', async () => {
  const result = await importEntries(
    target,
    entriesOf(
      contest({
        awards,
        hints: [{ id: 1, challenge_id: 1, content: 'very-secret', cost: 30 }],
        unlocks: [{ id: 1, target: 1, user_id: 2 }],
      }),
    ),
  )
  expect(losses(result)).toEqual(
    expect.arrayContaining(['loss hints', 'loss unlocks', 'loss awards', 'loss standings']),
  )
  expect(examples(result, 'standings')).toEqual([
    'User 2: rank 2 with 75 points becomes rank 2 with 100 points',
  ])
})

test('25: as pushed points the awards keep the standings', async () => {
  const result = await importEntries(target, entriesOf(contest({ awards })), { awards: 'feed' })
  expect(losses(result)).toEqual([])
  expect(await target.rows('select points, delta::int from feed_scores')).toEqual([{ points: -25, delta: 5 }])
})

test('26: locked challenges arrive hidden, unless they are to be open; broken requirements lock nothing', async () => {
  const challenges = [
    challenge(1),
    challenge(2, { requirements: { prerequisites: [1, 77] } }),
    challenge(3, { requirements: { prerequisites: [3, 99] } }),
    challenge(4, { requirements: '{"prerequisites": [1]}' }),
    challenge(5, { requirements: 'nonsense' }),
  ]
  const tables = contest({ challenges, flags: [1, 2, 3, 4, 5].map((id) => flag(id, id)) })
  const plan = await importEntries(target, entriesOf(tables), { isPlan: true, locked: 'open' })
  expect(plan.contest.challenges.filter(({ hidden }) => hidden)).toEqual([])
  const result = await importEntries(target, entriesOf(tables))
  expect(examples(result, 'requirements')).toEqual(['Chal 2', 'Chal 4'])
  expect(await target.rows('select name from challenges where hidden order by name')).toEqual([
    { name: 'Chal 2' },
    { name: 'Chal 4' },
  ])
})

test('27: flags and challenges of plugins arrive hidden', async () => {
  const challenges = [
    challenge(1),
    challenge(2),
    challenge(3, { type: 'container' }),
    challenge(4, { state: 'hidden' }),
  ]
  const flags = [flag(1, 1), flag(2, 2, { type: 'programmable' }), flag(3, 3), flag(4, 4)]
  const result = await importEntries(target, entriesOf(contest({ challenges, flags })))
  expect(losses(result)).toEqual(['loss flags', 'loss without-flags', 'loss challenge-types'])
  expect(await target.rows('select name from challenges where not hidden')).toEqual([{ name: 'Chal 1' }])
})

test('28, 29: links become those of stored files; missing, unused and equal names are handled', async () => {
  const [first, second] = ['1'.repeat(32), '2'.repeat(32)]
  const description = `[a](/files/${first}/a.zip?token=abc) <img src="/files/logo.png" class="x"> [gone](https://old.example/files/${first}/gone)`
  const files = [
    { id: 1, type: 'challenge', challenge_id: 1, location: `${first}/a.zip` },
    { id: 2, type: 'challenge', challenge_id: 1, location: `${second}/a.zip` },
    { id: 3, type: 'challenge', challenge_id: 1, location: `${first}/a.zip` },
  ]
  const tables = contest({
    challenges: [challenge(1, { description, connection_info: 'nc host 1' })],
    files,
    config: config({ ctf_logo: `${second}/a.zip` }),
  })
  const result = await importEntries(
    target,
    entriesOf(tables, {
      [`${first}/a.zip`]: 'one',
      [`${second}/a.zip`]: 'two',
      'uploads/logo.png': 'png',
      'unused/x': 'x',
    }),
  )
  expect(losses(result)).toEqual(['loss missing-files'])
  expect(examples(result, 'unused-files')).toEqual(['unused/x'])
  const url = (text: string, name: string) =>
    `/uploads/${createHash('sha256').update(text).digest('hex')}/${name}`
  const [row] = await target.rows<{ description: string; files: { url: string }[] }>(
    'select description, files from challenges',
  )
  expect(row?.description).toBe(
    `[a](${url('one', 'a.zip')}) <img src="${url('png', 'logo.png')}" class="x"> [gone](/files/${first}/gone)\n\n> [!CONNECTION]\n> nc host 1`,
  )
  expect(row?.files.map((file) => file.url)).toEqual([
    url('one', 'a.zip'),
    url('two', 'a.zip'),
    url('one', 'a.zip'),
  ])
  expect(await target.rows(`select data ->> 'logoLightUrl' as logo from settings`)).toEqual([
    { logo: url('two', 'a.zip') },
  ])
})

test('30, 31: secrets never reach the report, unknown columns are ignored, unknown tables are named once', async () => {
  const tables = contest({
    config: config({
      mail_password: 'very-secret',
      oauth_client_secret: 'very-secret',
      freeze: '1893499200',
      paused: 'true',
    }),
    tokens: [{ id: 1, value: 'very-secret' }],
    plugin_things: [{ id: 1 }, { id: 2 }],
    tracking: [{ id: 1, ip: '203.0.113.77' }],
    challenges: [challenge(1, { something_new: 1 })],
  })
  const result = await importEntries(target, entriesOf(tables))
  expect(losses(result).toSorted()).toEqual(
    ['apiTokens', 'freeze', 'mailSettings', 'otherSettings', 'pluginTables', 'tracking'].map(
      (code) => `loss ${code}`,
    ),
  )
  expect(examples(result, 'pluginTables')).toEqual(['plugin_things'])
  const text = JSON.stringify({ ...result, contest: null })
  expect(text).not.toContain('very-secret')
  expect(text).not.toContain('203.0.113.77')
})

test('40: a second import is refused, and both give the same ids', async () => {
  const plan = await importEntries(target, entriesOf(contest()), { isPlan: true })
  const result = await importEntries(target, entriesOf(contest()))
  expect(result.contest.teams).toEqual(plan.contest.teams)
  await expect(importEntries(target, entriesOf(contest()))).rejects.toThrow(/cannot be imported twice/)
})

test('admins get permissions only on request', async () => {
  const tables = contest({ users: [user(1), user(2), user(3, { type: 'admin' })] })
  const plan = await importEntries(target, entriesOf(tables), { isPlan: true })
  expect(plan.contest.teams.map(({ perms }) => perms)).toEqual([0, 0, 0])
  const result = await importEntries(target, entriesOf(tables), { admins: true })
  expect(result.contest.teams.map(({ perms }) => perms)).toEqual([0, 0, 63])
})
