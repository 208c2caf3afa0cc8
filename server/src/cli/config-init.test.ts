import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runProgram, startProgram } from '../../test/program.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pennant-init-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function init(answers: readonly string[]) {
  const program = startProgram(['config', 'init'], {}, folder)
  program.child.stdin.end(answers.map((answer) => `${answer}\n`).join(''))
  return await program.ended
}

const file = () => join(folder, 'pennant.yaml')

test('writes a valid configuration from the answers, readable only by its owner', async () => {
  const answers = [
    'My "CTF"',
    'ctf.example',
    'https://ctf.example',
    '2027-03-05T18:00:00+01:00',
    '2027-03-07T18:00:00Z',
  ]
  const done = await init([...answers, '', 'smtps://u:p@mail.example', '', 'Crew <ctf@ctf.example>'])
  expect(done).toMatchObject({ status: 0, complaints: '' })
  expect(done.output).toContain('It must start with http:// or https://.')
  expect(done.output).toContain('It is required.')
  expect((await stat(file())).mode & 0o777).toBe(0o600)
  const printed = await runProgram(['config', 'print'], {}, folder)
  expect(printed.output).toContain('ctfName: My "CTF"')
  expect(printed.output).toContain('origin: https://ctf.example')
  expect(printed.output).toContain('address: ctf@ctf.example')
})

test('empty answers keep the defaults, with examples in comments', async () => {
  expect(await init(['', '', '', '', '', ''])).toMatchObject({ status: 0, complaints: '' })
  const text = await readFile(file(), 'utf8')
  expect(text).toContain('# ctfName: Example CTF')
  // The examples are valid too.
  const examples = text.replace(/^# (?=[a-z]+[A-Za-z]*:|  )/gm, '').replace(/^# {2}/gm, '  ')
  await writeFile(file(), examples)
  expect(await runProgram(['config', 'check'], {}, folder)).toMatchObject({ status: 0, complaints: '' })
})

test('writes nothing over an existing file, for contradictory answers, or before the last answer', async () => {
  const late = ['', '', '2027-03-05T18:00:00Z', '2026-03-05T18:00:00Z', '', '']
  expect((await init(late)).complaints).toMatch(/^your answers: endTime: must be after startTime/)
  expect((await init([''])).complaints).toBe('The input ended before all questions were answered.\n')
  await expect(stat(file())).rejects.toThrow(/ENOENT/)
  await writeFile(file(), 'ctfName: Mine\n')
  // Before the first question.
  expect(await init([])).toMatchObject({
    status: 1,
    output: '',
    complaints: expect.stringMatching(/^pennant\.yaml already exists and was not overwritten\./),
  })
  expect(await readFile(file(), 'utf8')).toBe('ctfName: Mine\n')
})
