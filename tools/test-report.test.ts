import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../server/test/folder.ts'

type Outcome = 'passed' | 'failed'

function resultOf(files: Readonly<Record<string, Readonly<Record<string, [Outcome, number]>>>>): string {
  const testResults = Object.entries(files).map(([name, tests]) => ({
    name,
    assertionResults: Object.entries(tests).map(([fullName, [status, duration]]) => ({
      fullName,
      status,
      duration,
    })),
  }))
  return JSON.stringify({ testResults })
}

async function report(files: Readonly<Record<string, string>>) {
  await using folder = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text)
  const program = join(import.meta.dirname, 'test-report.mjs')
  const { stdout, status } = spawnSync(process.execPath, [program, folder.path], { encoding: 'utf8' })
  return { lines: stdout.trimEnd().split('\n'), status }
}

test('counts tests and steps, and lists the slowest tests of all suites first', async () => {
  const { lines, status } = await report({
    'unit.json': resultOf({ 'a.test.ts': { quick: ['passed', 10], broken: ['failed', 20] } }),
    'engine.json': resultOf({ 'b.test.ts': { slow: ['passed', 61_000] } }),
    'steps.tsv': 'check\tfailed\t25\ntests\ttests\t180\n',
  })
  expect(lines).toEqual([
    'minutes of each step:',
    '    0.4  check',
    '    3.0  tests',
    'slowest tests, in seconds:',
    '   61.0  b.test.ts > slow',
    '    0.0  a.test.ts > broken',
    '    0.0  a.test.ts > quick',
    '0 passed only when repeated',
    '2 passed, 2 failed',
  ])
  expect(status).toBe(1)
})

test('names tests and files that passed only when repeated, and counts their second run', async () => {
  const { lines, status } = await report({
    'unit.json': resultOf({
      'a.test.ts': { flaky: ['failed', 1], fine: ['passed', 1] },
      'b.test.ts': { fine: ['passed', 1] },
      'c.test.ts': {},
    }),
    'unit.json.again': resultOf({
      'a.test.ts': { flaky: ['passed', 1], fine: ['passed', 1] },
      'c.test.ts': { fine: ['passed', 1] },
    }),
  })
  expect(lines.slice(-2)).toEqual([
    '2 passed only when repeated: a.test.ts > flaky; c.test.ts',
    '4 passed, 0 failed',
  ])
  expect(status).toBe(0)
})

test('counts the step of a run that was killed and left an incomplete result', async () => {
  const { lines, status } = await report({
    'unit.json': '{"testResults": [',
    'steps.tsv': 'tests\tfailed\t9\n',
  })
  expect(lines.at(-1)).toBe('0 passed, 1 failed')
  expect(status).toBe(1)
})
