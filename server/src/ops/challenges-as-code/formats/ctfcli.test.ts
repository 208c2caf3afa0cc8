import { expect, test } from 'vitest'
import { readDocuments } from '../../../../test/challenge-documents.ts'

/** Reads one document, with the lines of a challenge that is complete. */
async function read(lines: string, options?: Parameters<typeof readDocuments>[1]) {
  const document = `name: A\ncategory: misc\nversion: "0.1"\n${lines}\n`
  const { challenges, lines: found } = await readDocuments({ 'misc/a/challenge.yml': document }, options)
  return { value: challenges[0]?.value, found }
}

const flag = 'flags: ["flag{a}"]\n'
const decay = { kind: 'decay' }
const fixed = { kind: 'static' }

test.each([
  // CTFd ignores the value of a dynamic challenge.
  ['type: dynamic\nvalue: 0\nextra: { initial: 500, minimum: 100, decay: 75 }', [100, 500], decay],
  [
    'type: dynamic\nvalue: 100\nextra: { initial: 1000, minimum: 50, decay: 9, function: linear }',
    [50, 1000],
    decay,
  ],
  ['type: dynamic\nextra: { initial: 500 }', [0, 500], decay],
  ['type: dynamic\nvalue: 500\nminimum: 100\ndecay: 30', [100, 500], decay],
  ['value: "250"', [250, 250], fixed],
  ['value: 1\nextra: { value: 300 }', [300, 300], fixed],
  ['value: 9\nextra: { function: logarithmic, initial: 400, minimum: 40, decay: 5 }', [40, 400], decay],
  ['value: 400\nextra: { function: linear, minimum: 40, decay: 5 }', [40, 400], decay],
  ['value: 70\nextra: { function: static, initial: 400, minimum: 40 }', [70, 70], fixed],
  ['type: container\nvalue: 1\nextra: { initial: 500, minimum: 100, decay: 20 }', [100, 500], decay],
  ['type: container\nvalue: 1\nextra: { initial: 500 }', [500, 500], fixed],
  ['type: container\nvalue: 1\nextra: { container_initial: 300 }', [100, 300], decay],
  ['type: container\nvalue: 1\nextra: { container_decay: 9 }', [100, 500], decay],
  ['type: container\nvalue: 120', [120, 120], fixed],
  ['type: docker\nvalue: 90', [90, 90], fixed],
  ['type: docker\nvalue: 90\nextra: { initial: 200, minimum: 20, dynamic_score: 0 }', [200, 200], fixed],
  ['type: dynamic_docker\nextra: { initial: 200, minimum: 20, dynamic_score: 1 }', [20, 200], decay],
  ['type: dynamic_docker\nvalue: 200\nextra: { minimum: 20, dynamic_score: 1 }', [20, 200], decay],
  ['type: dynamic_docker\nextra: { initial: 200, minimum: 20 }', [200, 200], fixed],
  ['type: dynamic_iac\nvalue: 1\nextra: { initial: 500, scenario: x }', [0, 500], decay],
  ['type: kubectf\nvalue: 1\nextra: { initial: 500, minimum: 50, template_name: x }', [50, 500], decay],
  ['type: multiple_choice\nvalue: 10', [10, 10], fixed],
])('points of %s', async (lines, [min, max], scoring) => {
  const { value, found } = await read(flag + lines)
  expect(found.filter((line) => line.includes(' error: '))).toEqual([])
  expect(value).toMatchObject({ points: { min, max }, scoring })
})

test.each([
  ['type: dynamic\nvalue: null', 'extra.initial: is missing [document]'],
  ['type: standard', 'value: is missing [document]'],
  ['value: 5\nextra: { function: linear, decay: 5 }', 'extra.minimum: is missing [document]'],
  ['type: dynamic\nextra: { initial: 5, minimum: 9 }', 'value: must not be above max [document]'],
  ['value: [1]', 'value: must be text [document]'],
  ['value: 1\nflags: [{ type: code, content: x }]', 'flags.0: the type code is not supported'],
  ['value: 1\nflags: [{ type: static }]', 'flags.0: content is missing [document]'],
  ['value: 1\nrequirements: [7]', 'requirements: 7 is an id of another site'],
  ['value: 1\nlogic: all\nflags: [a, b]', 'logic: all is not supported'],
  ['value: 1\nState: hidden', 'State: is not a key of this format, but looks as if it decides who sees'],
  ['value: 1\nstat: hidden', 'stat: is not a key of this format, but looks as if'],
  ['value: 1\nextra: { hidden: true }', 'extra.hidden: is not a key of this format, but looks as if'],
  ['value: 1\ntype: manual_verification', 'type: manual_verification is not known'],
  ['value: 1\ntype: code', 'type: code is not known'],
])('refuses %s', async (lines, message) => {
  const { found } = await read(lines)
  expect(found.join('\n')).toContain(` error: ${message}`)
})

test.each([
  ['', undefined],
  ['state: visible', false],
  ['state: hidden', true],
  ['state: null', true],
  ['state:', true],
  ['state: ""', true],
  ['state: locked', true],
  ['state: Visible', true],
  ['state: [visible]', true],
  ['extra: { state: hidden }', true],
  ['state: hidden\nextra: { state: visible }', true],
])('hides a challenge with %s: %s', async (lines, hidden) => {
  expect((await read(`${flag}value: 1\n${lines}`)).value?.hidden).toBe(hidden)
})

test.each([
  ['type: manual_verification\nstate: visible', 'error: type: manual_verification is not known; set up the'],
  ['type: manual_verification\nstate: hidden', 'warning: type: manual_verification is not known: set up the'],
  ['flags: [{ type: code, content: x }, "flag{a}"]', 'error: flags.0: the type code is not supported'],
])('a type that does not exist here keeps a challenge hidden: %s', async (lines, message) => {
  const { challenges, lines: found } = await readDocuments({
    'a/challenge.yml': `name: A\nvalue: 1\n${lines}\n`,
  })
  expect(challenges[0]?.value.hidden).toBe(true)
  expect(found.join('\n')).toContain(message)
})

test('points that the program of an event fills in are assumed for a new challenge', async () => {
  const { challenges, lines } = await readDocuments({
    'a/challenge.yml': 'name: A\nhosting_type: kube\nflags: ["flag{a}"]\n',
  })
  expect(challenges[0]?.value.points).toBeUndefined()
  expect(challenges[0]?.defaults.points).toEqual({ min: 100, max: 500 })
  expect(lines.join('\n')).toContain('warning: value: is missing, and another program fills it in')
})

test('keys of extra win over those at the top', async () => {
  const { value } = await read(
    `${flag}value: 1\nconnection_info: nc a 1\nextra: { name: B, category: web, connection_info: nc b 2 }`,
  )
  expect(value).toMatchObject({
    id: 'b',
    name: 'B',
    category: 'web',
    description: '> [!CONNECTION]\n> nc b 2',
  })
})

test('flags keep their case rules, and lose white space that no one can submit', async () => {
  const { value, found } = await read(
    [
      'value: 1',
      'flags:',
      '  - " flag{a} "',
      '  - ""',
      '  - { type: static, content: "flag{b}", data: CASE_INSENSITIVE, hint: x }',
      '  - { type: static, content: "flag{c}", data: case_insensitive }',
      '  - { content: 0x41 }',
    ].join('\n'),
  )
  expect(value?.flags).toEqual([
    { provider: 'flags/static', config: { flag: 'flag{a}' } },
    { provider: 'flags/static', config: { flag: 'flag{b}' } },
    {
      provider: 'flags/regex',
      config: { pattern: String.raw`^flag\{c\}$`, flags: 'i', flagValue: 'flag{c}' },
    },
    { provider: 'flags/static', config: { flag: '0x41' } },
  ])
  const text = found.join('\n')
  expect(text).toContain('flags.0: begins or ends with white space')
  expect(text).toContain('flags.1: is empty and is left out')
  expect(text).toContain('flags.2: data: CASE_INSENSITIVE is not case_insensitive')
  expect(text).toContain('flags.2.hint: is not a key of this format')
})

test('points that fall differently are one warning with both values', async () => {
  const { found } = await read(`${flag}type: dynamic\nextra: { initial: 500, minimum: 100, decay: 75 }`)
  expect(found).toEqual([
    'misc/a/challenge.yml:6: warning: extra: the points fall along the curve of this site: at 1, 10, 50 solves 500, 495, 330 in CTFd, 500, 334, 162 with scores/classic [unsupported]',
  ])
})

test('a decay without a minimum is a warning', async () => {
  const { value, found } = await read(`${flag}type: container\nextra: { initial: 500, decay: 20 }`)
  expect(value?.points).toEqual({ min: 500, max: 500 })
  expect(found.join('\n')).toContain('warning: extra.decay: changes nothing without minimum')
})

test('warns of what it leaves out, and not of what is empty', async () => {
  const { found } = await read(
    `${flag}value: 1\ntopics: [x]\nattempts: 3\nnext: null\nimage: ""\nsolution: {}\nreplicas: 2\nprotocol: tcp`,
  )
  const fields = found.map((line) => /warning: (\w+):/.exec(line)?.[1])
  expect(fields.toSorted()).toEqual(['attempts', 'protocol', 'replicas', 'topics'])
})

test.each([
  ['author: [kim, lee]', 'kim, lee', []],
  ['author: kim', 'kim', []],
  [
    'author: { name: kim }',
    undefined,
    [
      'misc/a/challenge.yml:4: warning: author: is neither text nor a list of texts and is left out [unsupported]',
    ],
  ],
])('ctfcli accepts any author: %s', async (line, author, lines) => {
  const { value, found } = await read(`${line}\nvalue: 1\n${flag}`)
  expect(value?.author).toBe(author)
  expect(found).toEqual(lines)
})

test('what a template leaves empty is left out', async () => {
  const { value, found } = await read(
    `value: 1\n${flag}hints: ["", { content: "", cost: 5 }, { content: a, cost: 10.0 }]\ntags: [null, b, ~]`,
  )
  expect(found).toEqual([])
  expect(value).toMatchObject({ tags: ['b'], hints: [{ text: 'a', price: 10 }] })
})

test('two files of one name are both there, with a warning', async () => {
  const { challenges, lines } = await readDocuments({
    'a/challenge.yml': `name: A\nvalue: 1\n${flag}files: [x/f.txt, y/f.txt]\n`,
    'a/x/f.txt': '1',
    'a/y/f.txt': '2',
  })
  expect(challenges[0]?.value.files).toHaveLength(2)
  expect(lines).toEqual(['a/challenge.yml:4: warning: files: two files have the name f.txt [file-name]'])
})
