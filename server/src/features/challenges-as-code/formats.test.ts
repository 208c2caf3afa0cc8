import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readTree, type DiskTree } from './disk-tree.ts'
import { lineOfFinding } from './finding.ts'
import type { Format } from './formats/translation.ts'
import { readChallenges } from './read-project.ts'

let folder = ''
let tree: DiskTree
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pennant-formats-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function read(
  files: Readonly<Record<string, string>>,
  options: { readonly format?: Format; readonly domain?: string } = {},
) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  tree = await readTree(folder)
  const { format = null, domain = null } = options
  const { challenges, findings } = await readChallenges(tree, { format, domain, documents: [] })
  return { challenges, lines: findings.map(lineOfFinding), value: challenges[0]?.value }
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
      'a/challenge.yml:2: error: value: is missing [document]',
      'a/challenge.yml:3: error: flags.0: the type code is not supported [document]',
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
      'a/challenge.yml:6: warning: hints.2: requirements of hints have no counterpart in Pennant: the hint can be read or bought without them [unsupported]',
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
      'a/challenge.yml:4: error: hints.0: must be text, or a map with content [document]',
      'a/challenge.yml:5: error: hints.1: cost must be a whole number of points, 0 or more [document]',
      'a/challenge.yml:6: error: hints.2: cost must be a whole number of points, 0 or more [document]',
      'b/challenge.yml:3: error: hints: Too big: expected number to be <=1000000 [document]',
      'c/challenge.yml:3: error: hints: must be a list [document]',
    ])
  })

  test('reads requirements as prerequisites, in both forms', async () => {
    const { challenges, lines } = await read({
      'a/challenge.yml': 'name: A\nvalue: 1\nrequirements: ["Paper Boat!", B]\n',
      'b/challenge.yml': 'name: B\nvalue: 1\nrequirements: { prerequisites: [], anonymize: true }\n',
    })
    expect(challenges.map(({ value }) => value.prerequisites)).toEqual([['paper-boat', 'b'], []])
    expect(lines).toEqual([
      'b/challenge.yml:3: warning: requirements: anonymize is not supported: locked challenges are not shown [unsupported]',
    ])
  })

  test("translates Python's patterns, and refuses those that have no counterpart", async () => {
    const flags = (content: string) => `name: A\nvalue: 1\nflags: [{ type: regex, content: '${content}' }]\n`
    const good = await read({ 'a/challenge.yml': flags(String.raw`(?i)\A(?P<x>a)(?P=x)\Z`) })
    expect(good.value?.flags?.[0]?.config).toEqual({
      pattern: String.raw`^(?:^(?<x>a)\k<x>$)$`,
      flags: 'i',
    })
    const bad = await read({ 'a/challenge.yml': flags('(a)?(?(1)b|c)') })
    expect(bad.lines[0]).toContain('a/challenge.yml:3: error: flags.0: content: a conditional')
  })
})

describe('rCDS', () => {
  const teapot = [
    'name: teapot',
    'author: [kim, lee]',
    'description: "Pour: {{ nc }} by {{ challenge.name }}{# later #}"',
    'flag: { file: flag.txt }',
    'provide: [teapot, { file: build/libc.so.6, as: libc.so }]',
    'containers: { main: { build: ., ports: [1337] } }',
    'expose: { main: [{ target: 1337, tcp: 31000 }] }',
    '',
  ].join('\n')
  const files = {
    'pwn/teapot/challenge.yaml': teapot,
    'pwn/teapot/flag.txt': 'pnt{short_and_stout}\n',
    'pwn/teapot/teapot': 'elf',
    'pwn/teapot/build/libc.so.6': 'libc',
  }

  test('reads a challenge with its files, flag and address', async () => {
    const { value, challenges, lines } = await read(files, { domain: 'pwn.example' })
    expect(value).toMatchObject({
      id: 'teapot',
      category: 'pwn',
      author: 'kim, lee',
      description: 'Pour: nc pwn.example 31000 by teapot',
      flags: [{ provider: 'flags/static', config: { flag: 'pnt{short_and_stout}' } }],
      files: [
        { name: 'teapot', local: 'pwn/teapot/teapot' },
        { name: 'libc.so', local: 'pwn/teapot/build/libc.so.6' },
      ],
    })
    expect(value?.points).toBeUndefined()
    expect(challenges[0]).toMatchObject({
      format: 'rcds',
      defaults: { hidden: false, points: { min: 100, max: 500 } },
    })
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^pwn\/teapot\/challenge\.yaml:6: warning: containers: is not deployed/)
  })

  test('a name without a value and a flag in another format are errors', async () => {
    const { lines } = await read({
      ...files,
      'rcds.yaml': 'flagFormat: ctf\\{.*\\}\ndefaults: { value: 50 }\n',
    })
    expect(lines).toContain(
      'pwn/teapot/challenge.yaml:3: error: description: {{ nc }} has no value; add --domain with the domain of the containers [document]',
    )
    expect(lines).toContain(
      'pwn/teapot/challenge.yaml:4: error: flag: does not match flagFormat of the project [flag-format]',
    )
  })

  test('reads the project: defaults, bounds, and visibility', async () => {
    const { value, lines } = await read({
      'rcds.yml': 'backends: [{ resolve: rctf, options: { scoring: { minPoints: 1, maxPoints: 9 } } }]\n',
      'web/a/challenge.yaml': 'name: A\ndescription: d\nflag: 0x41\nvalue: 7\nvisible: no\n',
    })
    expect(lines).toEqual([])
    expect(value).toMatchObject({
      flags: [{ config: { flag: '0x41' } }],
      points: { min: 7, max: 7 },
      scoring: { kind: 'static' },
      hidden: true,
    })
  })
})

describe('Konata', () => {
  const notes = [
    'challenges:',
    '  - category: web',
    '    name: Notes',
    '    author: sam',
    '    description: " Read them. "',
    '    tags: [xss]',
    '    scoring: { initial_value: 400, minimumValue: 40, rctf: { eligible_for_tiebreaks: false } }',
    '    flags: { rctf: [{ file: flag.txt }, { provider: flags/regex, config: { pattern: "^a$" } }] }',
    '    attachments: { files: ["src", "*.md"], exclude: ["*secret*"], additional: [{ path: x.txt, str: x }] }',
    '    endpoints: [{ type: nc, endpoint: notes.example }, { type: https, endpoint: n.example, name: Web }]',
    '    release_time: 2030-05-02T15:00:00',
    '    instancer_config: { challenge_integration_id: n, config: { image_name: a }, expose: [{ kind: http, host_prefix: n, container_name: app, container_port: 80 }], timeout_milliseconds: 60000 }',
    '    admin_bot: { file: bot.js }',
    '',
  ].join('\n')
  const files = {
    'web/notes/kona.yaml': notes,
    'web/notes/flag.txt': 'pnt{note}\n',
    'web/notes/src/app.js': 'app',
    'web/notes/src/secret.js': 'secret',
    'web/notes/README.md': 'read',
    'web/notes/bot.js': 'visit()',
  }

  test('reads a challenge and packs its attachments into one archive, the same each time', async () => {
    const { value, challenges, lines } = await read(files)
    expect(lines).toEqual([])
    expect(value).toMatchObject({
      id: '3db2dbe6761f8f21',
      category: 'web',
      description: 'Read them.\n\n> [!CONNECTION]\n> nc notes.example 1337\n> Web: https://n.example',
      points: { min: 40, max: 400 },
      tiebreakEligible: false,
      flags: [
        { provider: 'flags/static', config: { flag: 'pnt{note}' } },
        { provider: 'flags/regex', config: { pattern: '^a$' } },
      ],
      releaseTime: Date.UTC(2030, 4, 2, 15),
      instancer: {
        challengeIntegrationId: 'n',
        config: { image_name: 'a' },
        expose: [{ kind: 'http', hostPrefix: 'n', containerName: 'app', containerPort: 80 }],
        timeoutMilliseconds: 60_000,
      },
      adminBot: 'visit()',
      files: [{ name: 'web_notes.tar.gz', local: 'web/notes/web_notes.tar.gz' }],
    })
    expect(challenges[0]?.otherIds).toEqual(['web_Notes'])
    const packed = await tree.read('web/notes/web_notes.tar.gz')
    const tar = gunzipSync('content' in packed ? packed.content : '').toString('latin1')
    const names = ['web_notes/README.md', 'web_notes/src/app.js', 'web_notes/x.txt']
    expect(tar.match(/web_notes\/[\w./]+/g)).toEqual(names)
    const hash = await tree.sha256('web/notes/web_notes.tar.gz')
    await read({})
    expect(await tree.sha256('web/notes/web_notes.tar.gz')).toBe(hash)
  })

  test('ids depend on the project, and several challenges share a file', async () => {
    const two = 'challenges: [{ category: c, name: A, author: x }, { category: c, name: B, author: x }]\n'
    const { challenges } = await read({ 'kona.yaml': 'challenge_id_format: path\n', 'c/two/kona.yml': two })
    expect(challenges.map(({ value }) => value.id)).toEqual(['c_two_0', 'c_two_1'])
  })

  test('a pattern without a file, a template and TOML are errors', async () => {
    const { lines } = await read({
      'web/a/kona.yaml':
        'challenges:\n  - { category: c, name: A, author: x, attachments: [none/*] }\n  - { category: c, name: B, author: x, admin_bot: { code: "{{ x }}" } }\n',
    })
    expect(lines).toEqual([
      'web/a/kona.yaml:2: error: attachments: none/*: there is no such file [missing-file]',
      'web/a/kona.yaml:3: error: admin_bot.code: contains {{ or {%, and templates are not supported [document]',
    ])
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
  expect(lines.join('\n')).toContain('web/ctfcli/challenge.yml:2: error: value: Unrecognized keys')
})
