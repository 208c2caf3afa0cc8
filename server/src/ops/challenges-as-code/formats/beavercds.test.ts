import { expect, test } from 'vitest'
import { openZip, readDocuments } from '../../../../test/challenge-documents.ts'

const project = [
  'flag_regex: flag\\{.*\\}',
  'registry: { domain: registry.example }',
  'points: [{ difficulty: 1, min: 50, max: 100 }, { difficulty: hard, min: 100, max: 400 }]',
  'defaults: { difficulty: hard }',
  'profiles: { live: { challenges_domain: live.example } }',
  'deploy: { live: { web/shop: true, web/old: false } }',
  '',
].join('\n')

const shop = [
  'name: Shop',
  'author: kim',
  'description: "Buy at {{ url }}"',
  'flag: { file: flag.txt }',
  'provide:',
  '  - a.txt',
  '  - { include: b.txt, as: renamed.txt }',
  '  - { include: [a.txt, b.txt], as: both.zip }',
  'pods: [{ name: web, build: ., replicas: 1, ports: [{ internal: 80, expose: { http: shop } }] }]',
  '',
].join('\n')

const files = {
  'rcds.yaml': project,
  'web/shop/challenge.yaml': shop,
  'web/shop/flag.txt': 'flag{bought}\n',
  'web/shop/a.txt': 'a',
  'web/shop/b.txt': 'b',
}

test('reads points from the difficulty, the address of the pod, files and visibility', async () => {
  const { challenges, lines, tree } = await readDocuments(files, { domain: 'ctf.example', profile: 'live' })
  expect(challenges[0]).toMatchObject({ format: 'beavercds' })
  const value = challenges[0]?.value
  expect(value).toMatchObject({
    id: 'shop',
    category: 'web',
    description: 'Buy at https://shop.ctf.example',
    points: { min: 100, max: 400 },
    scoring: { kind: 'decay' },
    flags: [{ config: { flag: 'flag{bought}' } }],
    hidden: false,
    files: [{ name: 'a.txt' }, { name: 'renamed.txt', local: 'web/shop/b.txt' }, { name: 'both.zip' }],
  })
  expect(await openZip(tree, value?.files?.[2])).toEqual(['a.txt', 'b.txt'])
  expect(lines).toEqual([expect.stringContaining('warning: pods: is not deployed by Pennant')])
})

test('a profile has the domain of its challenges', async () => {
  const { challenges } = await readDocuments(files, { profile: 'live' })
  expect(challenges[0]?.value.description).toBe('Buy at https://shop.live.example')
})

test('every document of the project is one of beavercds', async () => {
  const document = 'name: A\ndescription: x\nflag: { regex: "/flag{[ab]}/" }\n'
  const { challenges } = await readDocuments({ 'rcds.yaml': project, 'web/a/challenge.yaml': document })
  expect(challenges[0]).toMatchObject({
    format: 'beavercds',
    defaults: { hidden: true },
    value: { points: { min: 100, max: 400 }, flags: [{ config: { pattern: '^(?:flag{[ab]})$' } }] },
  })
})

test('without a profile, and for one that does not list it, a challenge is hidden', async () => {
  const { challenges, lines } = await readDocuments(files, { domain: 'ctf.example' })
  expect(challenges[0]?.value.hidden).toBeUndefined()
  expect(challenges[0]?.defaults.hidden).toBe(true)
  expect(lines.join('\n')).toContain('--profile')
  const old = {
    'rcds.yaml': project,
    'web/old/challenge.yaml': 'name: Old\ndescription: x\nflag: flag{x}\ndifficulty: 1\n',
  }
  const other = await readDocuments(old, { profile: 'live' })
  expect(other.challenges[0]?.value).toMatchObject({ hidden: true, points: { min: 50, max: 100 } })
})

test.each([
  ['flag: { verifier: ./check }', 'error: flag.verifier: is a program'],
  ['flag: { file: none.txt }', 'error: flag.file: none.txt: there is no'],
  [
    'provide: [{ from: web, include: /out/a }]\nflag: f{x}',
    'error: provide.0.from: is a file of the built image',
  ],
  ['flag: f{x}', 'warning: flag: does not match flag_regex of the project [flag-format]'],
  ['difficulty: 9\nflag: f{x}', 'warning: difficulty: points of rcds.yaml has no entry'],
])('says what it cannot take over: %s', async (lines, message) => {
  const document = `name: A\ndescription: x\npods: []\n${lines}\n`
  const { lines: found } = await readDocuments({ 'rcds.yaml': project, 'web/a/challenge.yaml': document })
  expect(found.join('\n')).toContain(message)
})
