import { expect, test } from 'vitest'
import { readDocuments } from '../../../../test/challenge-documents.ts'

const boat = [
  'slug: paper-boat',
  'title: Paper Boat',
  'categories: [misc, osint]',
  'description: Float it.',
  'difficulty: easy',
  'tags: { author: kim, wave: "2" }',
  'flags:',
  '  - flag{a}',
  '  - { data: "flag{b}", strategy: case_insensitive }',
  '  - { data: "^c+$", strategy: regex_insensitive }',
  'files: [./boat.zip, { url: "https://files.example/x.bin", hash: abc, size: 12 }]',
  'hidden: false',
  'visible_at: 2026-11-28 18:00:00 +02:00',
  'connection_info: nc boat.example 1',
  'hints: [{ title: Where, description: below }]',
  '',
].join('\n')

const one = async (document: string) => {
  const { challenges, lines } = await readDocuments({ 'b/noctf.yaml': document, 'b/boat.zip': 'zip' })
  return { challenge: challenges[0], value: challenges[0]?.value, lines: lines.join('\n') }
}

test('reads a challenge with its flags, files, tags and time', async () => {
  const { challenge, value, lines } = await one(boat)
  expect(challenge).toMatchObject({ format: 'noctfcli', isNamed: false })
  expect(value).toMatchObject({
    id: 'paper-boat',
    name: 'Paper Boat',
    category: 'misc',
    tags: ['osint', 'easy', 'kim', '2'],
    description: 'Float it.\n\n> [!CONNECTION]\n> nc boat.example 1',
    points: { min: 100, max: 100 },
    scoring: { kind: 'static' },
    hidden: false,
    releaseTime: Date.UTC(2026, 10, 28, 16),
    hints: [{ text: '**Where**\n\nbelow' }],
    flags: [
      { config: { flag: 'flag{a}' } },
      { config: { pattern: String.raw`^flag\{b\}$`, flags: 'i', flagValue: 'flag{b}' } },
      { config: { pattern: '^c+$', flags: 'i' } },
    ],
    files: [
      { name: 'boat.zip', local: 'b/boat.zip' },
      { name: 'x.bin', url: 'https://files.example/x.bin', size: 12 },
    ],
  })
  expect(lines).not.toContain('error')
})

const scoring = (text: string) => `${boat}scoring: ${text}\n`

test.each([
  ['{ strategy: "core:static", params: { base: 250 } }', { min: 250, max: 250 }, 'static'],
  [
    '{ strategy: quadratic, params: { initial: 500, minimum: 100, decay: 20 } }',
    { min: 100, max: 500 },
    'decay',
  ],
  ['{ strategy: bounded_weight, params: { lower: 10, upper: 90 } }', { min: 10, max: 90 }, 'dynamic'],
])('points of %s', async (text, points, kind) => {
  expect((await one(scoring(text))).value).toMatchObject({ points, scoring: { kind } })
})

test.each([
  ['quadratic', 'decay: 20', '500, 419, 100 in noCTF'],
  ['exponential', 'k: 5, j: 2', '500, 194, 104 in noCTF'],
])('the curve of %s is a warning with the values of both', async (strategy, params, message) => {
  const { lines } = await one(
    scoring(`{ strategy: ${strategy}, params: { initial: 500, minimum: 100, ${params} } }`),
  )
  expect(lines).toContain(message)
})

test("the curve of this site's default formula is no warning", async () => {
  const { lines } = await one(
    scoring('{ strategy: exponential, params: { initial: 500, minimum: 100, k: 11.92201, j: 1.206069 } }'),
  )
  expect(lines).not.toContain('curve')
})

test.each([
  ['solve: { source: manual }', 'error: solve.source: manual is not supported'],
  ['scoring: { strategy: other }', 'error: scoring.strategy: other is not supported'],
  ['scoring: { bonus: [50] }', 'warning: scoring.bonus'],
  ['visibility: private', 'error: visibility: is not a key of this format'],
  ['colour: red', 'warning: colour: is not a key of this format'],
])('says what it cannot take over: %s', async (line, message) => {
  expect((await one(`${boat}${line}\n`)).lines).toContain(message)
})

test('what an organiser decides stays hidden', async () => {
  expect((await one(`${boat}solve: { source: manual }\n`)).value?.hidden).toBe(true)
})
