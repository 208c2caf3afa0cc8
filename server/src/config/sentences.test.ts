import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configKeys } from './config.ts'
import { readConfigFiles } from './config-files.ts'
import { listKeys } from './keys.ts'
import { setAt, type Values } from './layers.ts'
import { readConfig } from './read-config.ts'
import { sentenceOf } from '../lib/sentences.ts'

const made = { source: 'made', values: { tokenKey: Buffer.alloc(32, 7).toString('base64') } }

function problemsOf(values: Values): string[] {
  try {
    readConfig([made, { source: 'a.yaml', values }])
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

/** Of different kinds, so that each check of a schema refuses one of them. */
const WRONG = [{}, { a: 1 }, [], [{}], ['?'], '', '?', 'x'.repeat(10_000), -1, 1.5, 1e20, true, Number.NaN]

test('no sentence of a library reaches operators, for any key and option', () => {
  for (const { path, provider } of listKeys(configKeys)) {
    const [top = ''] = path
    for (const value of WRONG) {
      const values: Record<string, unknown> = {}
      if (provider !== undefined) setAt(values, [...path.slice(0, path.indexOf('options')), 'name'], provider)
      setAt(values, path, value)
      const schema = configKeys[top as keyof typeof configKeys]
      const { error } = schema.safeParse(values[top], { error: sentenceOf })
      for (const { message } of error?.issues ?? [])
        expect(message, `${path.join('.')} ${JSON.stringify(value)}`).not.toMatch(
          /Invalid|[Ee]xpected|received|Too (?:small|big)|Unrecognized|undefined|\[object/,
        )
    }
  }
})

test.each([
  ['2027-03-05T18:00', 'has no time zone: write 2027-03-05T18:00:00Z, or the offset of the place, such as'],
  ['2027-03-05 18:00:30', 'has no time zone: write 2027-03-05T18:00:30Z'],
  ['2027-03-05', 'has no time zone: write 2027-03-05T00:00:00Z'],
  ['2027-02-30T18:00:00Z', 'must be Unix milliseconds or a time such as'],
  ['5 March', 'must be Unix milliseconds or a time such as'],
  ['1999-03-05T18:00:00Z', 'before the year 2000'],
  [
    1_804_269_600,
    '1804269600 is 1970-01-21T21:11:09.600Z in milliseconds, before the year 2000, and 2027-03-05T18:00:00Z in seconds; use milliseconds: 1804269600000',
  ],
  [0, 'in milliseconds, before the year 2000'],
])('a time %s names what to write', (startTime, message) => {
  expect(problemsOf({ startTime })).toEqual([expect.stringContaining(`a.yaml: startTime: `)])
  expect(problemsOf({ startTime })[0]).toContain(message)
})

async function problemsOfFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pennant-config-'))
  try {
    const path = join(folder, 'pennant.yaml')
    await writeFile(path, text)
    readConfig([made, ...(await readConfigFiles(path))])
    return ''
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '')
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('problems of a file name the line', async () => {
  expect(await problemsOfFile('# ours\nctfName: A\nleaderboard:\n  graphMaxTeams: many\n')).toBe(
    'pennant.yaml:4: leaderboard.graphMaxTeams: must be a number',
  )
})

test.each([
  ['ctfName: "A\nport: 3\n', /^pennant\.yaml: line \d: a character is missing/],
  ['ctfName: A: B\n', /^pennant\.yaml: line 1: .*put the value in quotes/],
  ['a:\n\tb: 1\n', /^pennant\.yaml: line 2: a tab is used/],
  ['ctfName: A\nctfName: B\n', /^pennant\.yaml: line 2: a key is there twice/],
  ['ctfName: *none\n', /^pennant\.yaml: an alias \(\*name\) has no anchor/],
  ['ctfName: %A\n', /^pennant\.yaml: line 1: a text begins with a character that YAML reserves/],
  [
    'a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n',
    /or aliases are nested too deeply/,
  ],
])('a file that is not YAML is explained in our words: %j', async (text, expected) => {
  expect(await problemsOfFile(text)).toMatch(expected)
})
