import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
} from '../../../../test/import/ctfd-archive.ts'
import { examplesOf, lossesOf, openTarget, type Target } from '../../../../test/import/target.ts'

let target: Target
beforeEach(async () => {
  target = await openTarget()
})
afterEach(() => target[Symbol.asyncDispose]())

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
  { id: 1, user_id: 2, value: -30, category: 'hints', name: 'Hint 1', date: at('11:10:00') },
  { id: 2, user_id: 1, value: 0, category: 'hints', date: at('11:10:00') },
  { id: 3, user_id: 2, value: 5, name: 'Write-up', description: 'of Chal 1', date: at('11:20:00') },
]

test('25: awards and prices of hints become score adjustments that keep the standings', async () => {
  const result = await importEntries(target, entriesOf(contest({ awards })))
  expect(lossesOf(result)).toEqual([])
  expect(result.counts?.adjustments).toBe(2)
  expect(
    await target.rows(`
      select t.name, points, reason, kind, a.at, created_by as by
      from score_adjustments a join teams t on t.id = a.team_id order by a.at`),
  ).toEqual([
    {
      name: 'User 2',
      points: -30,
      reason: 'Hint 1',
      kind: 'manual',
      at: new Date(Date.UTC(2030, 4, 2, 11, 10)),
      by: null,
    },
    {
      name: 'User 2',
      points: 5,
      reason: 'Write-up: of Chal 1',
      kind: 'manual',
      at: new Date(Date.UTC(2030, 4, 2, 11, 20)),
      by: null,
    },
  ])
})

test('25: equal scores are ordered by solves and awards of the same second, by their numbers', async () => {
  const rows = [solve(4, [1, 1]), solve(2, [1, 2]), solve(1, [1, 3])]
  const prize = (id: number, user_id: number) => ({ id, user_id, value: 5, date: at('11:00:00') })
  const result = await importEntries(
    target,
    entriesOf(
      contest({
        users: [user(1), user(2), user(3)],
        submissions: rows,
        solves: solvesOf(rows),
        awards: [prize(3, 1), prize(5, 2), prize(6, 3)],
      }),
    ),
  )
  expect(lossesOf(result)).toEqual([])
  expect(
    await target.rows(`
      select t.name from teams t join score_adjustments a on a.team_id = t.id
      order by greatest(a.at, (select max(created_at) from solves s where s.team_id = t.id))`),
  ).toEqual([1, 2, 3].map((id) => ({ name: `User ${id}` })))
})

test('25: an account with deductions alone is not ranked, and awards that no one has are named', async () => {
  const result = await importEntries(
    target,
    entriesOf(
      contest({
        users: [user(1), user(2), user(3)],
        awards: [
          { id: 1, user_id: 3, value: -30, category: 'hints', date: at('11:10:00') },
          { id: 2, user_id: 9, value: 5, name: 'Gone', date: at('11:10:00') },
          { id: 3, user_id: 1, value: 5, name: 'Undated', date: null },
          { id: 4, user_id: 1, value: 0, name: 'Badge', date: at('11:10:00') },
          { id: 5, user_id: 2, value: 1, name: 'x'.repeat(300), date: at('11:10:00') },
        ],
      }),
    ),
  )
  expect(lossesOf(result)).toEqual(
    ['awards-left', 'awards', 'award-texts', 'standings'].map((code) => `loss ${code}`),
  )
  expect(examplesOf(result, 'awards-left')).toEqual(['Gone', 'Undated'])
  expect(examplesOf(result, 'standings')).toEqual(['User 3: rank 3 with -30 points becomes no rank'])
  expect(
    await target.rows('select length(reason) as length from score_adjustments where points = 1'),
  ).toEqual([{ length: 200 }])
})

test('25: more awards than an account can have are combined, and the score stays', async () => {
  const many = Array.from({ length: 502 }, (_, index) => ({
    id: index + 1,
    user_id: 1,
    value: index + 1,
    date: at('11:10:00'),
  }))
  const result = await importEntries(target, entriesOf(contest({ awards: many })))
  expect(lossesOf(result)).toEqual(['loss many-awards'])
  expect(await target.rows('select count(*)::int, sum(points)::int from score_adjustments')).toEqual([
    { count: 500, sum: (502 * 503) / 2 },
  ])
})

test('25: awards can be left out, or be pushed points, with the difference of the standings', async () => {
  const hints = [{ id: 1, challenge_id: 1, content: 'very-secret', cost: 30 }]
  const tables = contest({ awards, hints, unlocks: [{ id: 1, target: 1, user_id: 2 }] })
  const skipped = await importEntries(target, entriesOf(tables), { awards: 'skip', isPlan: true })
  expect(lossesOf(skipped)).toEqual(expect.arrayContaining(['loss skipped-awards', 'loss standings']))
  expect(examplesOf(skipped, 'standings')).toEqual([
    'User 2: rank 2 with 75 points becomes rank 2 with 100 points',
  ])
  const pushed = await importEntries(target, entriesOf(contest({ awards })), { awards: 'feed' })
  expect(lossesOf(pushed)).toEqual([])
  expect(await target.rows('select points, delta::int from feed_scores')).toEqual([{ points: -25, delta: 5 }])
})

describe('26: requirements', () => {
  const requiring = (id: number, prerequisites: readonly number[], more: object = {}) =>
    challenge(id, { requirements: { prerequisites, ...more } })
  const tablesOf = (challenges: readonly { id: number }[]) =>
    contest({ challenges, flags: challenges.map(({ id }) => flag(id, id)) })
  const locks = `
    select name, hidden, prerequisites, locked_shown as shown from challenges order by length(id), id`
  const open = { hidden: false, prerequisites: [], shown: false }

  test('are prerequisites; unknown ids and broken texts lock nothing', async () => {
    const result = await importEntries(
      target,
      entriesOf(
        tablesOf([
          challenge(1),
          requiring(2, [1, 77, 1]),
          challenge(3, { requirements: '{"prerequisites": [2, 1], "anonymize": "preview"}' }),
          requiring(4, [1], { anonymize: true }),
          requiring(5, [99]),
          challenge(6, { requirements: 'nonsense' }),
        ]),
      ),
    )
    expect(lossesOf(result)).toEqual([])
    expect(examplesOf(result, 'anonymous')).toEqual(['Chal 4'])
    expect(await target.rows(locks)).toEqual([
      { name: 'Chal 1', ...open },
      { name: 'Chal 2', ...open, prerequisites: ['misc-chal-1'] },
      { name: 'Chal 3', hidden: false, prerequisites: ['misc-chal-2', 'misc-chal-1'], shown: true },
      { name: 'Chal 4', ...open, prerequisites: ['misc-chal-1'] },
      { name: 'Chal 5', ...open },
      { name: 'Chal 6', ...open },
    ])
  })

  test('that no one can meet, or too many, arrive hidden, unless they are to be open', async () => {
    const others = Array.from({ length: 21 }, (_, index) => challenge(index + 10))
    const challenges = [
      requiring(1, [2]),
      requiring(2, [3]),
      requiring(3, [1]),
      requiring(4, [4, 99]),
      requiring(5, [1]),
      requiring(
        6,
        others.map(({ id }) => id),
      ),
      ...others,
    ]
    const tables = tablesOf(challenges)
    const opened = await importEntries(target, entriesOf(tables), { isPlan: true, locked: 'open' })
    expect(opened.contest.challenges.filter(({ hidden }) => hidden)).toEqual([])
    const result = await importEntries(target, entriesOf(tables))
    expect(examplesOf(result, 'requirement-cycles')).toEqual([1, 2, 3, 4].map((id) => `Chal ${id}`))
    expect(examplesOf(result, 'many-requirements')).toEqual(['Chal 6'])
    expect(examplesOf(result, 'locked')).toEqual([1, 2, 3, 4, 6].map((id) => `Chal ${id}`))
    expect((await target.rows(locks)).slice(0, 6)).toEqual([
      ...[1, 2, 3, 4].map((id) => ({ name: `Chal ${id}`, ...open, hidden: true })),
      { name: 'Chal 5', ...open, prerequisites: ['misc-chal-1'] },
      { name: 'Chal 6', ...open, hidden: true },
    ])
  })
})

test('the standings stay frozen until the results are published', async () => {
  const freeze = Date.UTC(2030, 4, 2, 10, 30)
  const tables = contest({ config: config({ freeze: String(freeze / 1000) }) })
  const result = await importEntries(target, entriesOf(tables))
  expect(lossesOf(result)).toEqual([])
  expect(examplesOf(result, 'frozen')).toEqual(['2030-05-02T10:30:00.000Z'])
  expect(await target.rows(`select (data -> 'freezeTime')::float8 as "freezeTime" from settings`)).toEqual([
    { freezeTime: freeze },
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
  expect(lossesOf(result)).toEqual(['loss flags', 'loss without-flags', 'loss challenge-types'])
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
  expect(lossesOf(result)).toEqual(['loss missing-files'])
  expect(examplesOf(result, 'unused-files')).toEqual(['unused/x'])
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

test('registration and visibility become settings; the shared code is not imported', async () => {
  const visibility = { challenge_visibility: 'private', account_visibility: 'public' }
  const code = { registration_code: 'very-secret', score_visibility: 'hidden' }
  const result = await importEntries(
    target,
    entriesOf(contest({ config: config({ ...visibility, ...code }) })),
  )
  expect(
    await target.rows(`select data -> 'visibility' as v, data ->> 'registrationMode' as mode from settings`),
  ).toEqual([{ v: { challenges: 'signedIn', scoreboard: 'organisers' }, mode: 'code' }])
  expect(JSON.stringify(result)).toContain('registration-code')
  expect(JSON.stringify(result)).not.toContain('very-secret')
})

test('a source without registration stays closed', async () => {
  await importEntries(target, entriesOf(contest({ config: config({ registration_visibility: 'private' }) })))
  expect(await target.rows(`select data ->> 'registrationMode' as mode from settings`)).toEqual([
    { mode: 'closed' },
  ])
})

test('30, 31: secrets never reach the report, unknown columns are ignored, unknown tables are named once', async () => {
  const tables = contest({
    config: config({
      mail_password: 'very-secret',
      oauth_client_secret: 'very-secret',
      paused: 'true',
    }),
    tokens: [{ id: 1, value: 'very-secret' }],
    plugin_things: [{ id: 1 }, { id: 2 }],
    tracking: [{ id: 1, ip: '203.0.113.77' }],
    challenges: [challenge(1, { something_new: 1 })],
  })
  const result = await importEntries(target, entriesOf(tables))
  expect(lossesOf(result).toSorted()).toEqual(
    ['apiTokens', 'mailSettings', 'otherSettings', 'pluginTables', 'tracking'].map((code) => `loss ${code}`),
  )
  expect(examplesOf(result, 'pluginTables')).toEqual(['plugin_things'])
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

test('fields become definitions, and their entries answers of people', async () => {
  const fields = [
    {
      id: 1,
      name: 'School Name',
      type: 'user',
      field_type: 'text',
      description: 'Yours',
      required: 1,
      public: 1,
    },
    { id: 2, name: 'Vegan?', type: 'user', field_type: 'boolean', required: 0, public: 0 },
    { id: 3, name: '学校', type: 'user', field_type: 'text', required: 0, public: 0 },
    { id: 4, name: 'Of teams', type: 'team', field_type: 'text', required: 1, public: 0 },
  ]
  const entries = [
    { id: 1, type: 'user', value: JSON.stringify('"Oslo"'), field_id: 1, user_id: 1, team_id: null },
    { id: 2, type: 'user', value: true, field_id: 2, user_id: 1, team_id: null },
    { id: 3, type: 'user', value: `"${'x'.repeat(600)}"`, field_id: 3, user_id: 1, team_id: null },
    { id: 4, type: 'user', value: '"x"', field_id: 3, user_id: 99, team_id: null },
  ]
  const result = await importEntries(target, entriesOf(contest({ fields, field_entries: entries })))
  expect(lossesOf(result)).toContain('loss field-answers')
  expect(
    await target.rows(
      'select field, value, person_id is not null as person from field_answers order by field',
    ),
  ).toEqual([
    { field: 'school-name', value: 'Oslo', person: true },
    { field: 'vegan', value: 'yes', person: true },
  ])
  const [settings] = await target.rows(`select data -> 'fields' as fields from settings`)
  expect(settings).toMatchObject({
    fields: [
      {
        id: 'school-name',
        kind: 'text',
        required: true,
        visible: 'everyone',
        texts: [{ label: 'School Name' }],
      },
      { id: 'vegan', kind: 'choice', choices: ['yes', 'no'], visible: 'organisers' },
      { id: 'field-1', texts: [{ label: '学校' }] },
    ],
  })
})
