import { expect, test } from 'vitest'
import { openZip, readDocuments } from '../../../../test/challenge-documents.ts'

const note = [
  'name: Paper Note',
  'author: dana',
  'description: "Open http://{{ .host }}:80/{{ .slug }} \\\\ {{.host}}"',
  'type: StaticAttachment',
  'value: 1000',
  'flags: ["flag{one}", "flag{two}"]',
  'hints: [look]',
  'provide: ./dist',
  '',
].join('\n')

const folder = 'events/ctf2025/Web/note'
const files = {
  [`${folder}/challenge.yml`]: note,
  [`${folder}/dist/a.txt`]: 'a',
  [`${folder}/dist/inner/b.txt`]: 'b',
}

test('reads a challenge with its host, category, points and packed folder', async () => {
  const { challenges, lines, tree } = await readDocuments(files, { domain: 'ctf.example' })
  expect(challenges).toHaveLength(1)
  expect(challenges[0]).toMatchObject({ format: 'gzcli', isNamed: true })
  const value = challenges[0]?.value
  expect(value).toMatchObject({
    id: 'paper-note',
    name: 'Paper Note',
    author: 'dana',
    category: 'Web',
    description: 'Open http://ctf.example:80/ctf2025-web-paper-note \\ ctf.example',
    points: { min: 100, max: 1000 },
    scoring: { kind: 'decay' },
    flags: [{ config: { flag: 'flag{one}' } }, { config: { flag: 'flag{two}' } }],
    hints: [{ text: 'look', price: 0 }],
  })
  expect(lines).toEqual([expect.stringContaining('1000, 248, 100 in GZCTF')])
  const [file] = value?.files ?? []
  expect(file?.name).toBe('dist.zip')
  expect(await openZip(tree, file)).toEqual(['a.txt', 'inner/b.txt'])
})

const readOne = async (lines: string, more: Readonly<Record<string, string>> = {}, options = {}) => {
  const { challenges, lines: found } = await readDocuments(
    { 'events/e/Pwn/a/challenge.yaml': `name: A\nauthor: x\ntype: StaticAttachment\n${lines}\n`, ...more },
    options,
  )
  return { value: challenges[0]?.value, found: found.join('\n') }
}

test.each([
  ['value: 99', { min: 99, max: 99 }, 'static'],
  ['value: 100', { min: 10, max: 100 }, 'decay'],
  ['value: 155', { min: 15, max: 155 }, 'decay'],
  ['value: 80\nminScoreRate: 0.25\ndifficulty: 3', { min: 20, max: 80 }, 'decay'],
  ['value: 500\nminScoreRate: 1', { min: 500, max: 500 }, 'static'],
  ['description: x', { min: 0, max: 0 }, 'static'],
])('points of %s', async (lines, points, kind) => {
  expect((await readOne(lines)).value).toMatchObject({ points, scoring: { kind } })
})

test.each([
  ['description: "{{ .host }}"', 'error: description: {{ .host }} has no value: add --domain'],
  ['provide: ./none', '[missing-file]'],
  ['provide: /etc/passwd', '[missing-file]'],
  ['deadlineUtc: 1767225600', 'error: deadlineUtc: is not supported'],
  ['submissionLimit: 3', 'warning: submissionLimit: is not supported'],
  ['minScoreRate: lots', 'error: minScoreRate: must be a number'],
  ['description: x', 'warning: value: is missing: the challenge is worth 0 points'],
  ['hiden: true', 'error: hiden: is not a key of this format'],
  ['scripts: { start: make }', 'warning: scripts: belongs to gzcli'],
  ['disableBloodBonus: true', 'warning: disableBloodBonus'],
  [
    'container: { flagTemplate: "' + '_'.repeat(100_000) + '" }',
    'error: container.flagTemplate: must be like',
  ],
  ['container: { flagTemplate: "no braces" }', 'error: container.flagTemplate: must be like prefix{content}'],
  ['colour: red', 'warning: colour: is not a key of this format'],
])('says what it cannot take over: %s', async (lines, message) => {
  expect((await readOne(lines)).found).toContain(message)
})

test.each(['AttackDefense', 'KingOfTheHill'])(
  'a challenge of the type %s can only be hidden',
  async (type) => {
    const document = `name: A\nauthor: x\ntype: ${type}\ncontainer: { exposePort: 80 }\nvisible: true\n`
    const { challenges, lines } = await readDocuments({ 'events/e/Pwn/a/challenge.yaml': document })
    expect(challenges[0]).toMatchObject({ format: 'gzcli', value: { hidden: true } })
    expect(lines.join('\n')).toContain(`error: type: ${type} is not supported`)
  },
)

test('templates in hidden folders are left out', async () => {
  const { challenges, lines } = await readDocuments(
    { ...files, '.example/a/challenge.yml': note },
    { domain: 'a.example' },
  )
  expect(challenges.map(({ file }) => file)).toEqual([`${folder}/challenge.yml`])
  expect(lines.join('\n')).toContain('.example/a/challenge.yml: info: is left out: in a hidden folder')
})

test('visible: false hides, and a file or an address is one attachment', async () => {
  const more = { 'events/e/Pwn/a/x.bin': 'x' }
  expect((await readOne('visible: false\nprovide: x.bin', more)).value).toMatchObject({
    hidden: true,
    files: [{ name: 'x.bin', local: 'events/e/Pwn/a/x.bin' }],
  })
  expect((await readOne('provide: https://files.example/a%20b.zip')).value?.files).toEqual([
    { name: 'a b.zip', url: 'https://files.example/a%20b.zip', size: null },
  ])
})

test('an archive of the folder of the challenge does not contain the document', async () => {
  const document = { [`${folder}/challenge.yml`]: note.replace('./dist', '.'), [`${folder}/a.txt`]: 'a' }
  const { challenges, tree } = await readDocuments(document, { domain: 'ctf.example' })
  expect(await openZip(tree, challenges[0]?.value.files?.[0])).toEqual(['a.txt'])
})

test.each([
  ['flag{[TEAM_HASH]}', 'flag{}', 'tail'],
  ['flag{easy_[GUID]}', 'flag{easy}', 'tail'],
  ['[LEET]flag{this is a very long sentence}', 'flag{this is a very long sentence}', 'leet'],
  ['[CLEET]flag{short}', 'flag{short}', 'tail'],
  ['flag{another rather long sentence}', 'flag{another rather long sentence}', 'leet'],
])('a flag of each team: %s', async (template, base, mode) => {
  const { value, found } = await readOne(
    `container: { containerImage: a/b:1, exposePort: 80, flagTemplate: "${template}" }`,
  )
  expect(value?.flags).toEqual([{ provider: 'flags/dynamic', config: { base, mode } }])
  expect(found).toContain('container.flagTemplate: is a flag for each team')
})

test('newer documents have the template of flags outside of the container', async () => {
  const { value, found } = await readOne('flagTemplate: "flag{[UUID]}"\ncontainer: { exposePort: 80 }')
  expect(value?.flags).toEqual([{ provider: 'flags/dynamic', config: { base: 'flag{}', mode: 'tail' } }])
  expect(found).toContain('flagTemplate: is a flag for each team')
})

test('a container becomes an instance only with the option', async () => {
  const lines =
    'container: { containerImage: "reg.example/{{ .slug }}:1", exposePort: 8080, memoryLimit: 64, cpuCount: 5, storageLimit: 32, flagTemplate: "flag{[GUID]}" }'
  const without = await readOne(lines)
  expect(without.value?.instancer).toBeUndefined()
  expect(without.found).toContain('[instance]')
  const { value } = await readOne(lines, {}, { instances: true })
  expect(value?.instancer).toMatchObject({
    config: {
      services: {
        app: {
          image: 'reg.example/e-pwn-a:1',
          mem_limit: '64m',
          cpus: 0.5,
          environment: { FLAG: '$SVC_FLAG', GZCTF_FLAG: '$SVC_FLAG', RSCTF_FLAG: '$SVC_FLAG' },
        },
      },
    },
    expose: [{ kind: 'tcp', containerPort: 8080 }],
  })
})
