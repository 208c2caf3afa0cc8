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
  type Rows,
  type Tables,
} from '../../../../test/import/ctfd-archive.ts'
import { codesOf, examplesOf, lossesOf, openTarget, type Target } from '../../../../test/import/target.ts'

let target: Target
beforeEach(async () => {
  target = await openTarget()
})
afterEach(() => target[Symbol.asyncDispose]())

function contest(
  more: Tables = {},
  submissions: Rows = [solve(1, [1, 1]), solve(2, [1, 2]), solve(3, [2, 2], { date: at('11:05:00.250000') })],
): Tables {
  return {
    config: config({}),
    users: [user(1), user(2), user(3)],
    challenges: [challenge(1), challenge(2)],
    flags: [flag(1, 1), flag(2, 2)],
    submissions,
    solves: solvesOf(submissions),
    ...more,
  }
}

describe('whole contests of CTFd', () => {
  test('in users mode have the standings of their source', async () => {
    const result = await importEntries(
      target,
      entriesOf(
        contest({
          hints: [],
          tracking: [],
          pages: [
            { id: 1, route: 'index', content: '# {ctf_name}' },
            { id: 2, route: 'Code_of/Conduct', title: 'Rules', content: 'Be kind.' },
            { id: 3, route: 'later', title: '', content: '', draft: true, hidden: true },
          ],
          notifications: [
            { id: 1, title: 'Hi', content: 'All', date: at('11:00:00'), user_id: null, team_id: null },
          ],
        }),
      ),
    )
    expect({ outcome: result.outcome, losses: lossesOf(result) }).toEqual({ outcome: 'imported', losses: [] })
    expect(result.source).toBe('CTFd 3.8.2')
    expect(result.counts).toMatchObject({
      teams: 3,
      challenges: 2,
      solves: 3,
      submissions: 3,
      announcements: 1,
    })
    expect(await target.rows('select data from settings')).toEqual([
      {
        data: {
          ctfName: 'Old CTF',
          homeContent: '# Old CTF',
          startTime: Date.UTC(2030, 4, 2, 10),
          endTime: Date.UTC(2030, 4, 3, 10),
        },
      },
    ])
    expect(await target.rows('select slug, place, published, texts from pages order by position')).toEqual([
      {
        slug: 'code-of-conduct',
        place: 'menu',
        published: true,
        texts: [{ language: 'en', title: 'Rules', content: 'Be kind.' }],
      },
      {
        slug: 'later',
        place: 'none',
        published: false,
        texts: [{ language: 'en', title: 'later', content: '' }],
      },
    ])
    expect(JSON.stringify(result.findings)).not.toContain('very-secret')
  })

  test('in teams mode count for the team at that time', async () => {
    const users = [user(1, { team_id: 1 }), user(2, { team_id: 1 }), user(3, { team_id: 2 }), user(4)]
    const teams = [
      {
        id: 1,
        name: 'Ants',
        email: null,
        captain_id: 2,
        bracket_id: 7,
        created: at('08:00:00'),
        country: 'de',
      },
      { id: 2, name: 'Bees', email: 'bees@teams.example', created: at('08:00:00') },
      { id: 3, name: 'Empty', created: at('08:00:00') },
    ]
    // User 3 solved the second one in the other team.
    const submissions = [solve(1, [1, 1], { team_id: 1 }), solve(2, [2, 3], { team_id: 1 })]
    const result = await importEntries(
      target,
      entriesOf(
        contest(
          {
            config: config({ user_mode: 'teams' }),
            users,
            teams,
            brackets: [{ id: 7, name: 'Students', type: 'teams' }],
          },
          submissions,
        ),
      ),
    )
    expect(lossesOf(result)).toEqual(['loss addresses'])
    expect(examplesOf(result, 'users-without-team')).toEqual(['User 4'])
    expect(
      await target.rows(
        `select t.name, t.email ~ 'import.invalid' as fake, division, country_code as country, (select count(*)::int from solves s where s.team_id = t.id) as solves from teams t order by 1`,
      ),
    ).toEqual([
      { name: 'Ants', fake: false, division: 'school', country: 'DE', solves: 2 },
      { name: 'Bees', fake: false, division: 'open', country: null, solves: 0 },
      { name: 'Empty', fake: true, division: 'open', country: null, solves: 0 },
    ])
    const people = `select p.email, p.name, t.name as team, p.is_captain as captain, p.joined_at is not null as joined
      from persons p left join teams t on t.id = p.team_id order by p.email`
    expect(await target.rows(people)).toEqual([
      { email: 'u1@users.example', name: 'User 1', team: 'Ants', captain: false, joined: true },
      { email: 'u2@users.example', name: 'User 2', team: 'Ants', captain: true, joined: true },
      { email: 'u3@users.example', name: 'User 3', team: 'Bees', captain: true, joined: true },
      { email: 'u4@users.example', name: 'User 4', team: null, captain: false, joined: false },
    ])
    expect(
      await target.rows(
        `select p.name, s.result from submissions s join persons p on p.id = s.person_id order by 1`,
      ),
    ).toEqual([
      { name: 'User 1', result: 'correct' },
      { name: 'User 3', result: 'correct' },
    ])
    expect(result.counts).toMatchObject({ people: 4, members: 0 })
    expect(await target.rows(`select email from teams where name = 'Ants'`)).toEqual([
      { email: 'u2@users.example' },
    ])
  })
})

describe('edge cases of CTFd', () => {
  test('12: empty and missing tables, a wrong count and a byte-order mark are read', async () => {
    const entries = entriesOf(contest({ tags: [] })).map((entry) => {
      if (entry.name === 'db/users.json')
        return { ...entry, content: `\u{feff}${entry.content?.toString().replace('"count":3', '"count":9')}` }
      return entry
    })
    const result = await importEntries(target, entries)
    expect(examplesOf(result, 'counts')).toEqual(['users: 3 instead of 9'])
    expect(result.counts?.teams).toBe(3)
  })

  test.each([
    ['an absolute path', [{ name: '/etc/passwd', content: 'x' }], /absolute/],
    ['a path that leaves the archive', [{ name: '../x', content: 'x' }], /leaves its folder/],
    ['a backslash that climbs', [{ name: String.raw`uploads\..\..\x`, content: 'x' }], /\.\./],
    ['a link', [{ name: 'uploads/x', content: '/etc', mode: 0o120777 }], /link/],
    [
      'an entry twice',
      [
        { name: 'db/users.json', content: '' },
        { name: 'db/users.json', content: '' },
      ],
      /twice/,
    ],
    [
      'a zip bomb',
      [{ name: 'db/tracking.json', content: '0'.repeat(3_000_000), deflate: true }],
      /times its size/,
    ],
    [
      'broken JSON',
      [{ name: 'db/config.json', content: '{"count":1,"results":[{"key":very-secret}]}' }],
      /^The archive is damaged: db\/config.json: a row is not valid JSON/,
    ],
    [
      'JSON that ends early',
      [{ name: 'db/config.json', content: '{"count":1,"results":[{"key":"very-secret"}' }],
      /ends early/,
    ],
    ['JSON without results', [{ name: 'db/config.json', content: '{"count":1}' }], /no list of results/],
    ['another kind of archive', [{ name: 'readme', content: 'x' }], /no export of CTFd/],
  ])('13, 30: %s is refused without showing content', async (_, entries, reason) => {
    const refused = importEntries(target, entries)
    await expect(refused).rejects.toThrow(reason)
    await expect(refused).rejects.not.toThrow(/very-secret/)
  })

  test('13: a folder around everything is the root of the export', async () => {
    const files = [{ id: 1, type: 'challenge', location: 'ab/a.txt', challenge_id: 1 }]
    const entries = entriesOf(contest({ files }), { 'ab/a.txt': 'x' })
    const inFolder = entries.map((entry) => ({ ...entry, name: `export.2026/${String(entry.name)}` }))
    const result = await importEntries(target, inFolder)
    expect({ outcome: result.outcome, losses: lossesOf(result) }).toEqual({ outcome: 'imported', losses: [] })
    expect(result.counts).toMatchObject({ teams: 3, challenges: 2, files: 1 })
  })

  test('14: the table of solves decides; a solve without its submission has no date', async () => {
    const submissions = [
      solve(1, [1, 1]),
      solve(2, [1, 2]),
      solve(3, [2, 1], { type: 'discard' }),
      solve(4, [2, 2], { type: 'partial' }),
    ]
    const result = await importEntries(
      target,
      entriesOf(
        contest(
          {
            solves: [
              ...solvesOf(submissions).slice(0, 1),
              { id: 99, challenge_id: 2, user_id: 3, team_id: null },
            ],
          },
          submissions,
        ),
      ),
    )
    expect(examplesOf(result, 'undated-solves')).toEqual(['solve 99'])
    expect(examplesOf(result, 'partialSubmissions')).toEqual(['partial'])
    expect(await target.rows('select result, count(*)::int from submissions group by 1 order by 1')).toEqual([
      { result: 'already_solved', count: 1 },
      { result: 'correct', count: 1 },
    ])
  })

  test('15: dynamic values come from three places, and a decaying import keeps their bounds', async () => {
    const challenges = [
      challenge(1, { type: 'dynamic', value: 475 }),
      challenge(2, { type: 'dynamic', value: 400 }),
      challenge(3, { function: 'linear', initial: 300, minimum: 50, logic: '' }),
      challenge(4, { function: null, initial: null }),
    ]
    const dynamic = [
      { id: 1, initial: 500, minimum: 100 },
      { id: 2, dynamic_initial: 450, dynamic_minimum: 90, dynamic_function: null },
    ]
    const tables = contest(
      { challenges, dynamic_challenge: dynamic, flags: [1, 2, 3, 4].map((id) => flag(id, id)) },
      [],
    )
    await importEntries(target, entriesOf(tables), { scoring: 'decay' })
    expect(
      await target.rows(
        'select points_min as min, points_max as max, scoring_kind as kind from challenges order by name',
      ),
    ).toEqual([
      { min: 100, max: 500, kind: 'decay' },
      { min: 90, max: 450, kind: 'decay' },
      { min: 50, max: 300, kind: 'decay' },
      { min: 400, max: 400, kind: 'static' },
    ])
  })

  test('16, 18: flags with spaces and letters outside of ASCII are reported', async () => {
    const flags = [
      flag(1, 1, { content: 'flag{x} ' }),
      flag(3, 1, { content: 'flag{cut' }),
      flag(2, 2, { content: 'flag{İ}', data: 'case_insensitive' }),
    ]
    const result = await importEntries(target, entriesOf(contest({ flags }, [])))
    expect(codesOf(result)).toEqual(
      expect.arrayContaining(['note flag-spaces', 'note flag-case', 'note flag-cut']),
    )
    expect(await target.rows(`select flags from challenges where name = 'Chal 2'`)).toEqual([
      {
        flags: [
          {
            provider: 'flags/regex',
            config: { pattern: String.raw`^flag\{İ\}$`, flags: 'i', flagValue: 'flag{İ}' },
          },
        ],
      },
    ])
  })

  test('17: a pattern that refuses what was correct is reported', async () => {
    const flags = [
      flag(1, 1, { type: 'regex', content: '(?P<x>a)(?P=x)' }),
      flag(2, 2, { type: 'regex', content: String.raw`\d+` }),
    ]
    const submissions = [solve(1, [1, 1], { provided: ' aa ' }), solve(2, [2, 2], { provided: '٣' })]
    const result = await importEntries(target, entriesOf(contest({ flags }, submissions)))
    expect(examplesOf(result, 'patterns')).toEqual(['Chal 2'])
  })

  test('19: names are made valid and different, with the original in the report', async () => {
    const names = ['Same', 'same', 'Two  words', 'two words', 'Ünï', '🦆', 'x', 'y'.repeat(80), '\u{202e}abc']
    const result = await importEntries(
      target,
      entriesOf(contest({ users: names.map((name, index) => user(index + 1, { name })) }, [])),
    )
    expect(await target.rows('select name from teams order by created_at, email')).toEqual(
      [
        'Same',
        'same (2)',
        'Two  words',
        'two words (2)',
        'Uni',
        'team 6',
        'team 7',
        'y'.repeat(64),
        '_abc',
      ].map((name) => ({ name })),
    )
    expect(examplesOf(result, 'names')).toContain('🦆 becomes team 6')
  })

  test('20: addresses are normalised; those that are taken or invalid are replaced', async () => {
    const users = [
      user(1, { email: ' A@B.example ' }),
      user(2, { email: 'a@b.example' }),
      user(3, { email: 'ü@x.example' }),
    ]
    const result = await importEntries(target, entriesOf(contest({ users }, [])))
    expect(examplesOf(result, 'addresses')).toEqual(['User 2', 'User 3'])
    expect(await target.rows(`select email from teams where name = 'User 1'`)).toEqual([
      { email: 'a@b.example' },
    ])
  })

  test('21, 24: solves of unknown accounts are lost, hidden ones do not count, and teams without points are ranked here', async () => {
    const users = [user(1), user(2, { hidden: 1 }), user(3, { banned: '1' }), user(4)]
    const challenges = [challenge(1), challenge(2, { value: 0 })]
    const submissions = [
      solve(1, [1, 1]),
      solve(2, [1, 2]),
      solve(3, [1, 3]),
      solve(4, [1, 9]),
      solve(5, [2, 4]),
    ]
    const result = await importEntries(target, entriesOf(contest({ users, challenges }, submissions)))
    expect(lossesOf(result)).toEqual(['loss hidden-accounts', 'loss unknown-accounts'])
    expect(examplesOf(result, 'unranked')).toEqual(['User 4'])
    expect(await target.rows('select name, banned from teams order by name')).toEqual(
      [1, 2, 3, 4].map((id) => ({ name: `User ${id}`, banned: id === 2 || id === 3 })),
    )
  })

  test('22: booleans are numbers or texts, dates are UTC', async () => {
    await importEntries(
      target,
      entriesOf(
        contest({ users: [user(1, { hidden: '0', banned: 0, created: at('09:30:00') })] }, [
          solve(1, [1, 1], { date: at('11:00:00.1234567') }),
        ]),
      ),
    )
    expect(await target.rows('select banned, created_at from teams')).toEqual([
      { banned: false, created_at: new Date(Date.UTC(2030, 4, 2, 9, 30)) },
    ])
    expect(
      await target.rows('select extract(microseconds from created_at)::int as micros from solves'),
    ).toEqual([{ micros: 123456 }])
  })

  test('equal times are ordered by row', async () => {
    const submissions = [solve(7, [1, 3]), solve(5, [1, 1]), solve(6, [1, 2])]
    const result = await importEntries(target, entriesOf(contest({}, submissions)))
    expect({ losses: lossesOf(result), notes: codesOf(result) }).toMatchObject({
      losses: [],
      notes: expect.arrayContaining(['note equal-times']) as unknown,
    })
    expect(
      await target.rows('select t.name from solves s join teams t on t.id = s.team_id order by s.id'),
    ).toEqual([1, 2, 3].map((id) => ({ name: `User ${id}` })))
  })

  test('23: an event without an end needs one, and solves after the end are reported', async () => {
    const tables = contest({ config: config({ end: '' }) })
    expect((await importEntries(target, entriesOf(tables))).outcome).toBe('has problems')
    const result = await importEntries(target, entriesOf(tables), { end: Date.UTC(2030, 4, 2, 11, 1) })
    expect(lossesOf(result)).toEqual(['loss late-solves', 'loss standings'])
  })
})
