import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openZip, readDocuments } from '../../../../test/challenge-documents.ts'

const challenge = (...lines: readonly string[]) =>
  [
    'challenges:',
    '  - category: web',
    '    name: A',
    '    author: sam',
    ...lines.map((line) => `    ${line}`),
    '',
  ].join('\n')
const read = (lines: readonly string[], files: Readonly<Record<string, string>> = {}, options = {}) =>
  readDocuments(
    {
      'kona.yaml': 'kv: { host: kv.example }\ndomains: { main: main.example }\n',
      'web/a/kona.yaml': challenge(...lines),
      ...files,
    },
    options,
  )
const errorsOf = (lines: readonly string[]) => lines.filter((line) => line.includes(': error: ')).join('\n')

test.each([
  ['plain', [{ provider: 'flags/static', config: { flag: 'plain' } }]],
  ["''", []],
  ['{ str: a }', [{ provider: 'flags/static', config: { flag: 'a' } }]],
  ['{ strContent: a }', [{ provider: 'flags/static', config: { flag: 'a' } }]],
  ['{ file: flag.txt }', [{ provider: 'flags/static', config: { flag: 'f{file}' } }]],
  ['{ config: { flag: { file: flag.txt } } }', [{ provider: 'flags/static', config: { flag: 'f{file}' } }]],
  [
    '{ provider: flags/regex, options: { pattern: "^a$" } }',
    [{ provider: 'flags/regex', config: { pattern: '^a$' } }],
  ],
  [
    '[a, { provider: dynamic, config: { base: { str: "f{x}" }, mode: tail } }]',
    [
      { provider: 'flags/static', config: { flag: 'a' } },
      { provider: 'flags/dynamic', config: { base: 'f{x}', mode: 'tail' } },
    ],
  ],
])('reads flags.rctf: %s', async (flags, expected) => {
  const { challenges, lines } = await read([`flags: { rctf: ${flags}, ctfd: [{ flag: other }] }`], {
    'web/a/flag.txt': ' f{file}\n',
  })
  expect(errorsOf(lines)).toBe('')
  expect(challenges[0]?.value.flags).toEqual(expected)
})

test('Klodd starts instances at the address of the project, unless they become instances here', async () => {
  const klodd = [
    'apiVersion: klodd.tjcsec.club/v1',
    'kind: Challenge',
    'metadata: { name: shop-a }',
    'spec: { pods: [{ name: app, spec: { containers: [{ image: "x/app:1" }] } }], expose: { kind: http, pod: app, port: 80 } }',
    '',
  ].join('\n')
  const files = {
    'kona.yaml': 'kv: { a: b }\ndiscovery: { klodd_domain: klodd.example, klodd_endpoint_name: Start }\n',
    'web/a/kona.yaml':
      'challenges: [{ category: web, name: A, author: x, description: d, flags: { rctf: "f{a}" } }]\ndeployment: { kubernetes_manifests: [k8s/klodd.yaml] }\n',
    'web/a/k8s/klodd.yaml': klodd,
  }
  const { challenges } = await readDocuments(files)
  expect(challenges[0]?.value.description).toContain('> Start: https://klodd.example/challenge/shop-a')
  const other = await readDocuments(files, { instances: true })
  expect(other.challenges[0]?.value).toMatchObject({
    description: 'd',
    instancer: { expose: [{ kind: 'http' }] },
  })
})

test('reads flags.ctfd if there are none for rCTF', async () => {
  const { challenges } = await read(
    ['flags: { ctfd: [{ flag: { file: flag.txt } }, { type: regex, flag: { str: "a+" } }] }'],
    { 'web/a/flag.txt': 'f{x}' },
  )
  expect(challenges[0]?.value.flags).toEqual([
    { provider: 'flags/static', config: { flag: 'f{x}' } },
    { provider: 'flags/regex', config: { pattern: '^(?:a+)$' } },
  ])
})

const FILES = {
  'web/a/src/app.js': 'app',
  'web/a/src/.env': 'env',
  'web/a/src/deep/secret.txt': 'secret',
  'web/a/src/deep/lib.js': 'lib',
  'web/a/README.md': 'read',
  'web/a/flag.txt': 'f{x}',
  'web/shared/libc.so': 'libc',
}

test.each([
  ['[src]', ['src/.env', 'src/app.js', 'src/deep/lib.js', 'src/deep/secret.txt']],
  ['["src/*"]', ['src/.env', 'src/app.js']],
  ['["src/**"]', ['src/.env', 'src/app.js', 'src/deep/lib.js', 'src/deep/secret.txt']],
  ['["**/[al]*.js", ./README.md]', ['README.md', 'src/app.js', 'src/deep/lib.js']],
  ['{ files: [src], exclude: ["*.txt", "*/.env"] }', ['src/app.js', 'src/deep/lib.js']],
  [
    '{ files: [src], exclude: [src, src/, ./src/app.js, "{a,b}"] }',
    ['src/.env', 'src/app.js', 'src/deep/lib.js', 'src/deep/secret.txt'],
  ],
  ['{ files: [src/deep, README.md], strip_components: 5 }', ['README.md', 'lib.js', 'secret.txt']],
  [
    '{ files: [src/deep], stripComponents: 1, additional: [{ path: x/y, str: z }] }',
    ['deep/lib.js', 'deep/secret.txt', 'x/y'],
  ],
  ['{ files: [flag.txt], additional: [{ path: flag.txt, base64_content: "ZHVtbXk=" }] }', ['flag.txt']],
  ['[../shared/libc.so]', ['shared/libc.so']],
])('packs attachments %s', async (attachments, names) => {
  const { challenges, tree, lines } = await read([`attachments: ${attachments}`], {
    ...FILES,
    'kona.yaml': 'attachment_format: zip\n',
  })
  expect(errorsOf(lines)).toBe('')
  expect(await openZip(tree, challenges[0]?.value.files?.[0])).toEqual(names.map((name) => `web_a/${name}`))
})

test('archives have names that every system accepts, and the same bytes each time', async () => {
  const named = (name: string, project: string) =>
    readDocuments({
      'kona.yaml': project,
      'web/a/kona.yaml': `challenges: [{ category: " Web ", name: '${name}', author: x, attachments: { files: [f], pre_compressed: [./ready.zip] } }]\n`,
      'web/a/f': 'content',
      'web/a/ready.zip': 'zip',
    })
  const { challenges, tree } = await named('What:  is/this?', 'templates: {}\n')
  const files = challenges[0]?.value.files ?? []
  expect(files.map(({ name }) => name)).toEqual(['web_what_-is_this_.tar.gz', 'ready.zip'])
  const [file] = files
  const packed = file && 'local' in file ? await tree.read(file.local) : { problem: 'no file' }
  const tar = gunzipSync('content' in packed ? packed.content : '').toString('latin1')
  expect(tar.startsWith('web_what_-is_this_/f\0')).toBe(true)
  const again = await named('What:  is/this?', 'templates: {}\n')
  const [second] = again.challenges[0]?.value.files ?? []
  expect(second).toEqual(file)
  const flat = await named('B', 'attachmentWrapDir: false\nattachmentFormat: zip\n')
  expect(await openZip(flat.tree, flat.challenges[0]?.value.files?.[0])).toEqual(['f'])
})

test('an archive of everything does not contain the archive of another challenge', async () => {
  const one = (name: string) => `{ category: c, name: ${name}, author: x, attachments: [.] }`
  const { challenges, tree } = await readDocuments({
    'kona.yaml': 'attachment_format: zip\n',
    'c/two/kona.yaml': `challenges: [${one('A')}, ${one('B')}]\n`,
  })
  for (const { value } of challenges) expect(await openZip(tree, value.files?.[0])).toHaveLength(1)
})

test.each([
  ['attachments: [none/*]', 'attachments: none/*: no file matches'],
  ['attachments: [src, missing.txt]', 'missing.txt: there is no such file'],
  ['attachments: { files: [src], password: x }', 'without a password'],
  ['attachments: { files: [src], additional: [{ path: ../x, str: a }] }', 'additional.0.path: '],
  ['attachments: { files: [src], pre_compressed: [gone.zip] }', 'gone.zip'],
  ['hiden: true', 'hiden: '],
  [
    'scoring: { rctf: { kind: dynamic, dynamic: { secret: { secret: feed } } } }',
    'the secret feed of the project is not read: set it on the site',
  ],
  ['admin_bot: { code: "visit({{ images.app }})" }', 'images'],
  [
    'instancer_config: { config: { image: "{{ images.app }}" } }',
    'config.image: {{ images.app }} has no value',
  ],
  ['endpoints: [{ type: nc, endpoint: "{{ kv.nope }}" }]', '{{ kv.nope }} has no value: kv has main, host'],
  ['endpoints: [{ type: gopher, endpoint: x }]', 'endpoints.0: needs a type'],
])('%s is an error', async (line, message) => {
  const { lines } = await read([line], FILES)
  expect(errorsOf(lines)).toContain(message)
})

test('files that a build would add are not missing unseen', async () => {
  const { lines, challenges } = await readDocuments({
    'web/a/kona.yaml': `${challenge('attachments: [f]')}deployment: { images: [{ name: a, exports: [{ stage: b, src: /out, dst: x }] }] }\n`,
    'web/a/f': 'f',
  })
  expect(challenges).toEqual([])
  expect(errorsOf(lines)).toContain('deployment.images has exports')
})

test('endpoints are blocks of their own, with the names that the project gives', async () => {
  const { challenges, lines } = await read([
    'description: " Read. "',
    'endpoints:',
    `  - { type: nc, endpoint: "{{ config.domains['main'] }}", port: 31337 }`,
    '  - { type: https, endpoint: "{{ kv.host }}", name: Web }',
    '  - { type: ncat-ssl, endpoint: "{{ challenge.name }}.example" }',
    '  - { type: socat, endpoint: "{{ images.app }}" }',
  ])
  expect(challenges[0]?.value.description).toBe(
    [
      'Read.',
      '> [!CONNECTION]\n> nc main.example 31337',
      '> [!CONNECTION]\n> Web: https://kv.example',
      '> [!CONNECTION]\n> ncat --ssl A.example 1337',
    ].join('\n\n'),
  )
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringContaining('warning: endpoints.3.endpoint: {{ images.app }} has no value'),
    ]),
  )
})

test('texts of instances and the code of the bot are templates', async () => {
  const { challenges, lines } = await read(
    [
      'flags: { rctf: f }',
      'instancerConfig:',
      '  challengeIntegrationId: "{{ challenge.name }}-x"',
      '  config: { services: { app: { image: "{{ kv.host }}/app:1", mem_limit: 64m } } }',
      '  expose: [{ kind: https, hostPrefix: "a-{{ challenge.category }}", containerName: app, containerPort: "80" }]',
      '  timeoutMilliseconds: 60000',
      'admin_bot: { file: bot.js }',
    ],
    { 'web/a/bot.js': "visit('{{ kv.host | re_escape }}')\n" },
  )
  expect(errorsOf(lines)).toBe('')
  expect(challenges[0]?.value).toMatchObject({
    instancer: {
      challengeIntegrationId: 'A-x',
      config: { services: { app: { image: 'kv.example/app:1', mem_limit: '64m' } } },
      expose: [{ kind: 'https', hostPrefix: 'a-web', containerName: 'app', containerPort: 80 }],
      timeoutMilliseconds: 60_000,
    },
    adminBot: String.raw`visit('kv\.example')`,
  })
})

test('what Konata leaves out is left out, and named', async () => {
  const { challenges, lines } = await readDocuments({
    'kona.yaml': `discovery: { challenge_folder_depth: 2 }\nkv: {}\n${challenge()}`,
    'web/a/kona.yaml': challenge('flags: { rctf: f }'),
    'web/skipped/kona.yaml': `discovery: { skip: true }\n${challenge()}`,
    'web/a/deeper/kona.yaml': challenge(),
  })
  expect(challenges.map(({ file }) => file)).toEqual(['web/a/kona.yaml'])
  for (const [file, message] of [
    ['kona.yaml', 'challenges in the file of the project'],
    ['web/skipped/kona.yaml', 'discovery.skip'],
    ['web/a/deeper/kona.yaml', 'challenge_folder_depth (2)'],
  ] as const)
    expect(lines.some((line) => line.startsWith(`${file}: info`) && line.includes(message))).toBe(true)
})

test('keys of the project that no one reads are named', async () => {
  const { lines } = await read(['flags: { rctf: f }'], {
    'kona.yaml': 'kv: {}\nattachmentFormat: zip\ndiscovery:\n  challenge_folder_dept: 1\n',
  })
  expect(lines).toEqual([
    expect.stringMatching(
      /^kona\.yaml:4: warning: discovery\.challenge_folder_dept: .*challenge_folder_depth/,
    ),
  ])
})

test('the half for CTFd is named only if there is none for rCTF', async () => {
  const ctfd = ['ctfd: { type: dynamic, topics: [x] }', 'scoring: { ctfd: { decay: 5 } }']
  const both = await read([...ctfd, 'flags: { rctf: f }'])
  expect(both.lines.filter((line) => line.includes('warning'))).toEqual([])
  const half = await read([...ctfd, 'flags: { ctfd: [{ flag: f }] }'])
  expect(half.lines.filter((line) => line.includes('no counterpart'))).toHaveLength(3)
})

test('reads TOML, for challenges and for the project', async () => {
  const { challenges, lines } = await readDocuments({
    'kona.toml': 'challenge_id_format = "name"\n[kv]\nhost = "t.example"\n',
    'web/a/kona.toml': [
      '[[challenges]]',
      'category = "web"',
      'name = "A"',
      'author = "sam"',
      'hidden = true',
      'release_time = 2030-01-02T03:04:05Z',
      'endpoints = [{ type = "nc", endpoint = "{{ kv.host }}", port = 1 }]',
      '[challenges.flags]',
      'rctf = "f{x}"',
      '[challenges.scoring]',
      'initial_value = 0x1F4',
      '',
    ].join('\n'),
    'web/b/kona.toml': 'name = \n',
  })
  expect(challenges[0]?.value).toMatchObject({
    id: 'web_A',
    hidden: true,
    description: '> [!CONNECTION]\n> nc t.example 1',
    releaseTime: Date.UTC(2030, 0, 2, 3, 4, 5),
    flags: [{ config: { flag: 'f{x}' } }],
    points: { min: 50, max: 500 },
  })
  expect(errorsOf(lines)).toContain('web/b/kona.toml:1: error: is not valid TOML at line 1 (name =)')
})

test('several challenges of a file have ids of their own', async () => {
  const two = 'challenges: [{ category: c, name: A, author: x }, { category: c, name: B, author: x }]\n'
  const { challenges } = await readDocuments({
    'kona.yaml': 'challenge_id_format: path\n',
    'c/two/kona.yml': two,
  })
  expect(challenges.map(({ value, otherIds }) => [value.id, otherIds])).toEqual([
    ['c_two_0', ['c_A']],
    ['c_two_1', ['c_B']],
  ])
})

test('the default id is a hash of the path from the project', async () => {
  const { challenges } = await readDocuments({
    'ctf/kona.yml': 'kv: {}\n',
    'ctf/web/a/kona.yaml': challenge(),
  })
  expect(challenges[0]?.value.id).toBe(createHash('sha256').update('web/a').digest('hex').slice(0, 16))
})
