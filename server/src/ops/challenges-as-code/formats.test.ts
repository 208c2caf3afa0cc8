import { describe, expect, test } from 'vitest'
import { readDocuments } from '../../../test/challenge-documents.ts'

async function read(...given: Parameters<typeof readDocuments>) {
  const found = await readDocuments(...given)
  return { ...found, value: found.challenges[0]?.value }
}

describe('ctfcli', () => {
  const boat = [
    'name: Paper Boat',
    'author: dana',
    'category: misc',
    'description: Float it.',
    'value: "100"',
    'type: standard',
    'flags:',
    '  - pnt{fold}',
    '  - { type: regex, content: "pnt\\\\{f[o0]ld\\\\}", data: case_insensitive }',
    '  - { type: static, content: "pnt{a.b}", data: case_insensitive }',
    'files: [./dist/boat.zip]',
    'connection_info: nc boat.example 1',
    'tags: [easy]',
    'state: hidden',
    'version: "0.1"',
    '',
  ].join('\n')

  test('reads a challenge with its flags, points and connection', async () => {
    const { value, lines, challenges } = await read({
      'misc/paper/challenge.yml': boat,
      'misc/paper/dist/boat.zip': 'zip',
    })
    expect(lines).toEqual([])
    expect(challenges[0]).toMatchObject({ format: 'ctfcli', isNamed: true })
    expect(value).toMatchObject({
      id: 'paper-boat',
      name: 'Paper Boat',
      author: 'dana',
      category: 'misc',
      description: 'Float it.\n\n> [!CONNECTION]\n> nc boat.example 1',
      hidden: true,
      points: { min: 100, max: 100 },
      scoring: { kind: 'static' },
      tags: ['easy'],
      files: [{ name: 'boat.zip', local: 'misc/paper/dist/boat.zip' }],
      flags: [
        { provider: 'flags/static', config: { flag: 'pnt{fold}' } },
        { provider: 'flags/regex', config: { pattern: String.raw`^(?:pnt\{f[o0]ld\})$`, flags: 'i' } },
        {
          provider: 'flags/regex',
          config: { pattern: String.raw`^pnt\{a\.b\}$`, flags: 'i', flagValue: 'pnt{a.b}' },
        },
      ],
    })
  })

  test('decaying points come from extra, and only challenges of the project are read', async () => {
    const { challenges } = await read({
      '.ctf/config': '[config]\nurl = https://x\n[challenges]\nweb/a = .\n',
      'web/a/challenge.yml':
        'name: A\ntype: dynamic\nextra: { initial: 500, decay: 10, minimum: 100 }\nversion: "0.1"\n',
      'web/b/challenge.yml': 'name: B\nvalue: 1\nversion: "0.1"\n',
    })
    expect(challenges.map(({ value }) => value)).toMatchObject([
      { name: 'A', points: { min: 100, max: 500 }, scoring: { kind: 'decay' } },
    ])
    expect(challenges[0]?.defaults).toEqual({ hidden: false })
  })

  test('names what it cannot carry over: topics as a warning, ids of another site as an error', async () => {
    const { lines, challenges } = await read({
      'a/challenge.yml': [
        'name: 2024',
        'value: ten',
        'flags: [{ type: code, content: x }]',
        'topics: [look]',
        'requirements: [7]',
        '',
      ].join('\n'),
    })
    expect(challenges).toEqual([])
    expect(lines).toEqual([
      'a/challenge.yml:4: warning: topics: has no counterpart in Pennant and is left out [unsupported]',
      'a/challenge.yml:2: error: value: must be an integer [document]',
      'a/challenge.yml:3: error: flags.0: the type code is not supported: write static or regex; set up the challenge on the site, or allow it to be hidden [type]',
      'a/challenge.yml:5: error: requirements: 7 is an id of another site; write the name of the challenge [requirements]',
    ])
  })

  test('reads hints as texts and as maps, released with their challenge', async () => {
    const { value, lines } = await read({
      'a/challenge.yml': [
        'name: A',
        'value: 1',
        'hints:',
        '  - Look at the cookie',
        '  - { content: "It is *signed*", cost: 50 }',
        '  - { content: The key is weak, cost: "75", title: The_key, requirements: { prerequisites: [1] } }',
        '  - { content: Again, cost: 0, requirements: { prerequisites: [] }, type: standard }',
        '',
      ].join('\n'),
    })
    const release = { kind: 'after', minutes: 0 }
    expect(value?.hints).toEqual([
      { text: 'Look at the cookie', price: 0, release },
      { text: 'It is *signed*', price: 50, release },
      { text: '**The\\_key**\n\nThe key is weak', price: 75, release },
      { text: 'Again', price: 0, release },
    ])
    expect(lines).toEqual([
      'a/challenge.yml:6: warning: hints.2.requirements: has no counterpart in Pennant: the hint can be read or bought without it [unsupported]',
    ])
  })

  test('a hint without a text, with a wrong cost, or beyond a limit is an error at its line', async () => {
    const { value, lines } = await read({
      'a/challenge.yml':
        'name: A\nvalue: 1\nhints:\n  - { cost: 5 }\n  - { content: x, cost: -1 }\n  - { content: y, cost: 1.5 }\n',
      'b/challenge.yml': 'name: B\nvalue: 1\nhints: [" ", { content: z, cost: 9000000 }]\n',
      'c/challenge.yml': 'name: C\nvalue: 1\nhints: { content: x }\n',
    })
    expect(value).toBeUndefined()
    expect(lines).toEqual([
      'a/challenge.yml:4: error: hints.0.content: is missing [document]',
      'a/challenge.yml:5: error: hints.1.cost: must be a whole number of points, 0 or more [document]',
      'a/challenge.yml:6: error: hints.2.cost: must be a whole number of points, 0 or more [document]',
      'b/challenge.yml:3: error: hints: must be at most 1000000 [document]',
      'c/challenge.yml:3: error: hints: must be a list [document]',
    ])
  })

  test('reads requirements as prerequisites, in both forms', async () => {
    const { challenges, lines } = await read({
      'a/challenge.yml': 'name: A\nvalue: 1\nrequirements: ["Paper Boat!", B]\n',
      'b/challenge.yml': 'name: B\nvalue: 1\nrequirements: { prerequisites: [], anonymize: true }\n',
    })
    expect(challenges.map(({ value }) => value.prerequisites)).toEqual([['Paper Boat!', 'B'], []])
    expect(lines).toEqual([
      'b/challenge.yml:3: warning: requirements.anonymize: is not supported: locked challenges are not shown [unsupported]',
    ])
  })

  test("translates Python's patterns, and refuses those that have no counterpart", async () => {
    const flags = (content: string) => `name: A\nvalue: 1\nflags: [{ type: regex, content: '${content}' }]\n`
    const good = await read({ 'a/challenge.yml': flags(String.raw`(?i)\A(?P<x>a)(?P=x)\Z`) })
    expect(good.value?.flags?.[0]?.config).toEqual({
      pattern: String.raw`^(?:(?<![^])(?<x>a)\k<x>(?![^]))$`,
      flags: 'i',
    })
    const bad = await read({ 'a/challenge.yml': flags('(a)?(?(1)b|c)') })
    expect(bad.lines[0]).toContain(
      'a/challenge.yml:3: error: flags.0: content: (?(1)b|c) has no counterpart in JavaScript',
    )
  })
})

test('formats can be mixed, and one can be forced', async () => {
  const files = {
    'web/own/challenge.yaml': 'name: Own\npoints: { min: 1, max: 2 }\n',
    'web/ctfcli/challenge.yml': 'name: Cli\nvalue: 5\nstate: visible\n',
    'web/rcds/challenge.yaml': 'name: R\ndescription: d\nflag: f\nprovide: []\n',
    'web/kona/kona.yaml': 'challenges: [{ category: c, name: K, author: x }]\n',
  }
  const { challenges } = await read(files)
  expect(challenges.map(({ format }) => format)).toEqual(['ctfcli', 'konata', 'pennant', 'rcds'])
  const { lines } = await read(files, { format: 'pennant' })
  expect(lines.join('\n')).toContain(
    'web/ctfcli/challenge.yml:2: error: value: has unknown keys: value, state',
  )
})
