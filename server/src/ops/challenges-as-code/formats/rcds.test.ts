import { expect, test } from 'vitest'
import { readDocuments, openZip } from '../../../../test/challenge-documents.ts'

const K8S = 'backends:\n  - { resolve: k8s, options: { domain: ctf.example } }\n'
const document = (...lines: readonly string[]) => ['name: A', 'author: kim', ...lines, ''].join('\n')
const read = (lines: readonly string[], files: Readonly<Record<string, string>> = {}, options = {}) =>
  readDocuments({ 'rcds.yaml': K8S, 'web/a/challenge.yaml': document(...lines), ...files }, options)
const TCP = 'expose: { main: [{ target: 1337, tcp: 31000 }] }'
const HTTP = 'expose: { main: [{ target: 80, http: shop }] }'
const RAW = 'expose: { main: [{ target: 80, http: { raw: raw.example } }] }'
const TWO = 'expose: { main: [{ target: 1, tcp: 31000 }, { target: 2, http: shop }] }'

test.each([
  [TCP, '{{ host }} {{ port }}', 'ctf.example 31000'],
  [TCP, '{{nc}}', 'nc ctf.example 31000'],
  [TCP, '{{ url }} {{ link }}', 'http://ctf.example:31000 [ctf.example:31000](http://ctf.example:31000)'],
  [HTTP, '{{ host }} {{ url }}', 'shop.ctf.example https://shop.ctf.example'],
  [HTTP, '{{ link }}', '[shop.ctf.example](https://shop.ctf.example)'],
  [RAW, '{{ url }}', 'https://raw.example'],
  [TWO, '{{ challenge.expose.main[0].host }}:{{ challenge.expose.main[0].tcp }}', 'ctf.example:31000'],
  [TWO, "{{ challenge.expose['main'][1].http }}", 'shop.ctf.example'],
  [TCP, '{{ challenge.id }} {{ challenge.category }} {{ challenge.author }}', 'a web kim'],
  ['expose: { m: [{ target: 1, tcp: a.uiuc.example }] }', '{{ nc }}', 'ncat --ssl a.uiuc.example 1337'],
  ['instancer: { timeout: 60000 }', 'a {{ instancer }} b', 'a  b'],
  [`backend: instancer\n${TCP}`, 'at `{{ nc }}`', 'at '],
  [`backend: instancer\n${TWO}`, '{{ link }}{{ port }}.', '.'],
  [`backend: instancer\n${HTTP}`, 'Start it here: {instancer}', 'Start it here: '],
  ['instancer: { timeout: 60000 }', 'a [Instancer]({{ instancer }}) b', 'a  b'],
  [TWO, '{{ nc }} {{ link }}', 'nc ctf.example 31000 [shop.ctf.example](https://shop.ctf.example)'],
])('renders a description with %s: %s', async (expose, template, text) => {
  const { challenges } = await read(['flag: f{a}', `description: ${JSON.stringify(`${template}\n`)}`, expose])
  expect(challenges[0]?.value.description).toBe(text)
})

test.each([
  [HTTP, '{{ nc }}'],
  [HTTP, '{{ port }}'],
  [`${TWO.slice(0, -3)}, { target: 3, tcp: 31001 }] }`, '{{ nc }}'],
  [TCP, '{{ hosst }}'],
  [TCP, '{{ challenge.nam }}'],
  ['value: 1', '{{ url }}'],
])('with %s, the name %s prints nothing, with a warning that lists the names', async (expose, template) => {
  const { lines, challenges } = await read(['flag: f{a}', `description: "${template}."`, expose])
  expect(challenges[0]?.value.description).toBe('.')
  expect(lines.join('\n')).toMatch(
    /web\/a\/challenge\.yaml:4: warning: description: .* has no value: (?:the names here are|challenge has) .*rCDS prints nothing/,
  )
})

test.each([
  [TCP, '{{ nc }}', 'add --domain'],
  [TCP, '{{ challenge.expose.main[0].host }}', 'add --domain'],
  ['value: 1', '{{ challenge.nam.first }}', 'challenge has'],
])('without a domain and with %s, the name %s is an error', async (expose, template, message) => {
  const lines = ['flag: f{a}', `description: "${template}"`, expose]
  const { lines: found, challenges } = await read(lines, { 'rcds.yaml': 'backends: []\n' })
  expect(challenges).toEqual([])
  expect(found.join('\n')).toMatch(new RegExp(`error: description: .* has no value: .*${message}`))
})

test('the domain of the project is that of HTTP too, unless it has another one; an option wins', async () => {
  const project = 'backends: [{ resolve: k8s, options: { domain: tcp.example, httpDomain: web.example } }]\n'
  const lines = ['flag: f{a}', 'description: "{{ url }}"', HTTP]
  const own = await read(lines, { 'rcds.yaml': project })
  expect(own.challenges[0]?.value.description).toBe('https://shop.web.example')
  const given = await read(lines, { 'rcds.yaml': project }, { domain: 'given.example' })
  expect(given.challenges[0]?.value.description).toBe('https://shop.given.example')
})

const RCTF = (options: string) =>
  `backends: [{ resolve: rctf, options: { ${options} } }, { resolve: rctf, options: {} }]\n`

test.each([
  ['', ['value: 50'], { points: { min: 50, max: 50 }, scoring: { kind: 'static' } }],
  ['', ['value: { min: 5, max: 50 }'], { points: { min: 5, max: 50 }, scoring: { kind: 'decay' } }],
  ['scoring: { minPoints: 1, maxPoints: 9 }', [], { points: { min: 1, max: 9 }, scoring: { kind: 'decay' } }],
  ['scoring: { minPoints: 20 }', [], { points: { min: 20, max: 500 } }],
  ['', [], { points: { min: 100, max: 500 } }],
  ['', ['sortWeight: 5'], { sortWeight: -5 }],
  ['', ['sortWeight: -1.5'], { sortWeight: 1.5 }],
  ['', ['sortWeight: 0'], { sortWeight: 0 }],
  ['sortOrder: [b, a]', ['sortWeight: 7'], { sortWeight: 1 }],
  ['', ['visible: no'], { hidden: true }],
  ['', ['tags: [{ metatag: easy }, plain]'], { tags: ['easy', 'plain'] }],
  ['', ['id: other', 'category: pwn'], { id: 'other', category: 'pwn' }],
])('with rCTF options { %s } and %j', async (options, lines, expected) => {
  const { challenges } = await read(['flag: f{a}', 'description: d', ...lines], {
    'rcds.yaml': RCTF(options),
  })
  expect(challenges[0]?.value).toMatchObject(expected)
})

test('names ids of the order that no challenge has', async () => {
  const { lines } = await read(['flag: f{a}', 'description: d', 'value: 1'], {
    'rcds.yaml': RCTF('sortOrder: [gone, a]'),
  })
  expect(lines).toEqual(['rcds.yaml:1: warning: backends: sortOrder: no challenge has gone [project]'])
})

test('warns of an address that nothing is deployed at', async () => {
  const lines = ['flag: f{a}', 'value: 1', 'deployed: false', TCP]
  const { challenges, lines: found } = await read([...lines, 'description: "{{ nc }}"'])
  expect(challenges[0]?.value.description).toBe('nc ctf.example 31000')
  expect(found.join('\n')).toContain('shows the address of a challenge with deployed: false')
  const other = await read([...lines, 'description: "{{ challenge.name }}"'])
  expect(other.lines.join('\n')).not.toContain('deployed')
})

test('a default that looks like visibility is an error of the project', async () => {
  const { lines } = await read(['flag: f{a}', 'description: d', 'value: 1'], {
    'rcds.yaml': 'defaults: { visble: false }\nflagFromat: x\n',
  })
  expect(lines.map((line) => line.split(': ').slice(0, 3).join(': '))).toEqual([
    'rcds.yaml:2: warning: flagFromat',
    'rcds.yaml:1: error: defaults.visble',
  ])
})

test('assumes points without a project, and says so', async () => {
  const { challenges, lines } = await readDocuments({
    'web/a/challenge.yaml': document('description: d', 'flag: f{a}', 'provide: []'),
  })
  expect(challenges[0]?.value.points).toBeUndefined()
  expect(challenges[0]?.defaults.points).toEqual({ min: 100, max: 500 })
  expect(lines.join('\n')).toContain('a new challenge gets 100 to 500')
})

test('merges defaults deeply, and never reports them as keys of a challenge', async () => {
  const defaults = [
    'defaults:',
    '  author: team',
    '  sortOrder: -100',
    '  provide: [x]',
    '  flag: { file: flag.txt }',
    '  containers: { replicas: 2 }',
    '  expose: { healthContent: ok }',
    '  value: { min: 1, max: 10 }',
    '',
  ].join('\n')
  const { challenges, lines } = await readDocuments({
    'rcds.yaml': defaults,
    'web/a/challenge.yaml': 'name: A\ndescription: "{{ challenge.author }}"\nvalue: { max: 20 }\n',
    'web/a/flag.txt': ' f{a}\n',
  })
  expect(lines).toEqual([expect.stringMatching(/^rcds\.yaml:3: warning: defaults\.sortOrder: /)])
  expect(challenges[0]?.value).toMatchObject({
    author: 'team',
    description: 'team',
    points: { min: 1, max: 20 },
    flags: [{ config: { flag: 'f{a}' } }],
  })
  expect(challenges[0]?.value.files).toBeUndefined()
})

test.each([
  [String.raw`a\{.*\}|b\{.*\}`, 'a{x}', true],
  [String.raw`a\{.*\}|b\{.*\}`, 'a{x} and more', true],
  [String.raw`a\{.*\}|b\{.*\}`, 'b{x}', true],
  [String.raw`a\{.*\}|b\{.*\}`, 'b{x} and more', false],
  [String.raw`a\{.*\}`, 'a{x}b', false],
  [String.raw`a\{.*\}`, 'xa{x}', false],
])('tests flagFormat %s as Python does: %s', async (format, flag, isRight) => {
  const { lines } = await read([`flag: "${flag}"`, 'description: d'], {
    'rcds.yaml': `flagFormat: '${format}'\n`,
  })
  expect(lines.join('\n').includes('does not match flagFormat')).toBe(!isRight)
})

test('provides paths, renamed files, links and zip archives', async () => {
  const { challenges, tree, lines } = await read(
    [
      'flag: f{real}',
      'description: d',
      'provide:',
      '  - ./dist/a.bin',
      '  - { file: dist/a.bin, as: b.bin }',
      '  - { kind: file, spec: { file: dist/a.bin, as: c.bin } }',
      '  - { url: "https://files.example/big%20disk.img?x=1" }',
      '  - kind: zip',
      '    spec:',
      '      as: src.zip',
      '      base: src',
      '      files: [app, "*.txt", "[!a]*.cfg"]',
      '      exclude: ["*.log", "/app/tests", flag.txt, "!app/keep.log"]',
      '      additional: [{ path: flag.txt, str: "f{dummy}" }, { path: bin/x, base64: aGk= }]',
    ],
    {
      'web/a/dist/a.bin': 'a',
      'web/a/src/app/main.py': 'main',
      'web/a/src/app/.env': 'hidden',
      'web/a/src/app/run.log': 'log',
      'web/a/src/app/keep.log': 'kept',
      'web/a/src/app/tests/test.py': 'test',
      'web/a/src/flag.txt': 'f{real}',
      'web/a/src/readme.txt': 'read',
      'web/a/src/b.cfg': 'b',
      'web/a/src/a.cfg': 'a',
    },
  )
  const files = challenges[0]?.value.files ?? []
  expect(files.map(({ name }) => name)).toEqual(['a.bin', 'b.bin', 'c.bin', 'big disk.img', 'src.zip'])
  expect(await openZip(tree, files[4])).toEqual([
    'app/.env',
    'app/keep.log',
    'app/main.py',
    'b.cfg',
    'bin/x',
    'flag.txt',
    'readme.txt',
  ])
  expect(lines.filter((line) => line.includes('provide'))).toEqual([
    expect.stringContaining('is stored elsewhere: its content is not checked'),
  ])
})

test.each([
  ['{ kind: zip, spec: { as: a.zip, files: [none] } }', 'the archive would be empty'],
  ['{ kind: zip, spec: { files: [challenge.yaml] } }', 'as: is missing'],
  ['{ kind: zip, spec: { as: a.zip, files: ["../b/x"] } }', 'outside of base'],
  ['{ kind: zip, spec: { as: a.zip, files: ["../../../../../*"] } }', 'cannot leave'],
  ['{ kind: tar, spec: {} }', 'tar is not supported'],
  ['{ url: "javascript:alert(1)" }', 'must be an address'],
  ['{ as: x }', 'file: is missing'],
])('provide %s is an error', async (item, message) => {
  const { lines, challenges } = await read(['flag: f{a}', 'description: d', `provide: [${item}]`], {
    'web/b/x': 'x',
  })
  expect(challenges).toEqual([])
  expect(lines.join('\n')).toContain(message)
})

const INSTANCED = [
  'flag: f{a}',
  'description: d',
  'backend: instancer',
  'instancer: { lifetime: 600 }',
  'containers:',
  '  app:',
  '    image: registry.example/app:1',
  '    environment: { FLAG: f, PORT: 8080 }',
  '    resources: { limits: { cpu: 100m, memory: 64Mi } }',
  '    command: [sh, -c, "echo \'hi\' && run"]',
  '    hasEgress: true',
  '  db: { image: "registry.example/db:1", limits: { memory: 1G } }',
  'expose: { app: [{ target: 8080, http: Shop.x }, { target: 1337, tcp: 31000 }] }',
]

test('containers of an instancer become instances on request', async () => {
  const { challenges, lines } = await read(INSTANCED, {}, { instances: true })
  expect(lines.filter((line) => line.includes('error'))).toEqual([])
  expect(challenges[0]?.value.instancer).toEqual({
    config: {
      services: {
        app: {
          image: 'registry.example/app:1',
          environment: { FLAG: 'f', PORT: '8080' },
          entrypoint: String.raw`sh -c 'echo '\''hi'\'' && run'`,
          mem_limit: '64m',
          cpus: 0.1,
          networks: ['inside', 'outside'],
        },
        db: { image: 'registry.example/db:1', mem_limit: '1024m', networks: ['inside'] },
      },
      networks: { inside: { internal: true }, outside: { internal: false } },
    },
    expose: [
      { kind: 'http', hostPrefix: 'shop-x', containerName: 'app', containerPort: 8080 },
      { kind: 'tcp', hostPrefix: 'app', containerName: 'app', containerPort: 1337 },
    ],
    timeoutMilliseconds: 600_000,
  })
})

test('without the option, instances and shared containers are named', async () => {
  const { challenges, lines } = await readDocuments({
    'web/a/challenge.yaml': document(...INSTANCED),
    'web/b/challenge.yaml': document(
      'flag: f{a}',
      'description: d',
      'containers: { main: { build: . } }',
      TCP,
    ),
  })
  expect(challenges.map(({ value }) => value.instancer)).toEqual([undefined, undefined])
  expect(lines.join('\n')).toMatch(/web\/a\/.*add --instances/)
  expect(lines.join('\n')).toMatch(/web\/b\/.*shared containers: deploy them with rCDS/)
})

test.each([
  ['privileged: true', 'containers.app.privileged'],
  ['securityContext: { privileged: true }', 'containers.app.securityContext.privileged'],
  [
    'securityContext: { capabilities: { add: [SYS_ADMIN] } }',
    'containers.app.securityContext.capabilities.add',
  ],
  ['seccompProfile: jail.json', 'containers.app.seccompProfile'],
  ['replicas: 3', 'containers.app.replicas'],
  ['k8s: { spec: { volumes: [{ hostPath: { path: / } }] } }', 'containers.app.k8s.spec.volumes'],
  ['resources: { limits: { memory: lots } }', 'containers.app'],
])('an instance with %s is an error with the field', async (setting, field) => {
  const lines = [
    'flag: f{a}',
    'description: d',
    'backend: instancer',
    `containers: { app: { image: x, ${setting} } }`,
    'expose: { app: [{ target: 1, tcp: 2 }] }',
  ]
  const { challenges, lines: found } = await read(lines, {}, { instances: true })
  expect(challenges).toEqual([])
  expect(found.join('\n')).toContain(`error: ${field}: `)
})

test('an instance without an image or with another port is an error', async () => {
  const { lines } = await read(
    [
      'flag: f{a}',
      'description: d',
      'backend: instancer',
      'containers: { app: { build: . } }',
      'expose: { other: [{ tcp: 2 }] }',
    ],
    {},
    { instances: true },
  )
  expect(lines.join('\n')).toContain('containers.app.image: is missing')
  expect(lines.join('\n')).toContain('there is no container other')
  expect(lines.join('\n')).toContain('the port is missing')
})

test('Klodd gives each team an instance', async () => {
  const manifest = [
    'apiVersion: klodd.tjcsec.club/v1',
    'kind: Challenge',
    'metadata: { name: a }',
    'spec:',
    '  timeout: 120000',
    '  pods:',
    '    - name: app',
    '      egress: true',
    '      ports: [{ port: 80 }]',
    '      spec: { containers: [{ name: main, image: "x/app:1", env: [{ name: A, value: b }], resources: { limits: { cpu: "1", memory: 128Mi } } }] }',
    '  expose: { kind: http, pod: app, port: 80 }',
    '',
  ].join('\n')
  const { challenges } = await read(
    ['flag: f{a}', 'description: d'],
    { 'web/a/klodd.yaml': manifest },
    { instances: true },
  )
  expect(challenges[0]?.value.instancer).toEqual({
    config: {
      services: {
        app: { image: 'x/app:1', environment: { A: 'b' }, mem_limit: '128m', cpus: 1, networks: ['outside'] },
      },
      networks: { outside: { internal: false } },
    },
    expose: [{ kind: 'http', hostPrefix: 'app', containerName: 'app', containerPort: 80 }],
    timeoutMilliseconds: 120_000,
  })
})

test('a fork puts the event before the id, on request', async () => {
  const files = {
    'rcds.yaml': 'backends: [{ resolve: instancer, options: { description_footer: x } }]\n',
    '2025/web/a/challenge.yaml': document('flag: f{a}', 'description: d', 'value: 1'),
  }
  const { challenges, lines } = await readDocuments(files, { rcdsIds: 'event' })
  expect(challenges[0]?.value).toMatchObject({ id: '4-2025-a', category: 'web' })
  expect(lines.join('\n')).toContain('description_footer is left out')
  expect((await readDocuments(files)).challenges[0]?.value.id).toBe('a')
})

test('keys that no one reads are named, and a misspelt visibility is an error', async () => {
  const keys = ['visble: false', 'provid: [x]', 'adminbot: bot.js', 'type: ranked']
  const { lines } = await read(['flag: f{a}', 'description: d', 'value: 1', ...keys])
  expect(lines.map((line) => line.split(': ').slice(1, 3).join(': ')).toSorted()).toEqual([
    'error: visble',
    'warning: adminbot',
    'warning: provid',
    'warning: type',
  ])
})

test('builds and settings of the cluster are named, also without containers', async () => {
  const { lines } = await readDocuments({
    'rcds.yaml': 'backends: []\n',
    'web/a/challenge.yaml':
      'name: A\nauthor: x\ndescription: d\nflag: f{a}\nvalue: 1\nextraBuilds: { bot: ./bot }\nk8s: { a: b }\n',
  })
  expect(lines).toEqual([
    'web/a/challenge.yaml:6: warning: extraBuilds: belongs to the deployment: build and deploy with rCDS as before [unsupported]',
    'web/a/challenge.yaml:7: warning: k8s: belongs to the deployment: build and deploy with rCDS as before [unsupported]',
  ])
})
