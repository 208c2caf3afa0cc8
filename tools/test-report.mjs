import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// `test-report.mjs FOLDER`: prints how long the steps of `.ci/run` took, the slowest tests, the tests that passed only
// when they were repeated, and the counts. The folder contains results of vitest (`NAME.json`, and `NAME.json.again`
// of the repeated files) and `steps.tsv` with a title, a status and seconds in each line.

const SHOWN = 10

/**
 * @param {string} folder
 * @returns {{ lines: string[], failed: number }}
 */
export function report(folder) {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
  const suites = names.map((name) => suiteOf(folder, name))
  const tests = suites.flatMap((suite) => suite.tests)
  const repeated = suites.flatMap((suite) => suite.repeated)
  const steps = stepsOf(join(folder, 'steps.tsv'))
  const count = (status) => tests.filter((test) => test.status === status).length
  const failed = count('failed') + steps.filter((step) => step.isBroken).length
  return {
    lines: [
      'minutes of each step:',
      ...steps.map(({ title, seconds }) => `  ${(seconds / 60).toFixed(1).padStart(5)}  ${title}`),
      'slowest tests, in seconds:',
      ...slowestOf(tests).map(({ name, ms }) => `  ${(ms / 1000).toFixed(1).padStart(5)}  ${name}`),
      `${repeated.length} passed only when repeated${repeated.length > 0 ? `: ${repeated.join('; ')}` : ''}`,
      `${count('passed')} passed, ${failed} failed`,
    ],
    failed,
  }
}

/** The results of one suite. For a file that ran twice, the second run counts. */
function suiteOf(folder, name) {
  const files = filesIn(join(folder, name))
  const again = new Map(filesIn(join(folder, `${name}.again`)).map((file) => [file.path, file]))
  const first = files.filter(({ path }) => again.has(path))
  return {
    tests: files.flatMap((file) => (again.get(file.path) ?? file).tests),
    repeated: first.flatMap((file) => passedOnlyAgain(file, again.get(file.path))),
  }
}

/** Names of tests that failed first, or of the file if it did not load. */
function passedOnlyAgain(first, again) {
  const passed = new Set(again.tests.filter(({ status }) => status === 'passed').map(({ name }) => name))
  const failed = first.tests.filter(({ status }) => status === 'failed').map(({ name }) => name)
  if (failed.length === 0 && passed.size > 0) return [first.path]
  return failed.filter((name) => passed.has(name))
}

function filesIn(path) {
  return resultsIn(path).map((file) => {
    const shortPath = file.name.replace(`${process.cwd()}/`, '')
    const tests = file.assertionResults.map(({ fullName, status, duration = 0 }) => ({
      name: `${shortPath} > ${fullName}`,
      status,
      ms: duration,
    }))
    return { path: shortPath, tests }
  })
}

/** A run that was killed leaves no results or half of them; its step counts as failed. */
function resultsIn(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).testResults
  } catch {
    return []
  }
}

function slowestOf(tests) {
  return tests.toSorted((one, other) => other.ms - one.ms).slice(0, SHOWN)
}

/** A step with the status `tests` failed because of tests, which are counted themselves. */
function stepsOf(path) {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => {
    const [title = '', status = '', seconds = ''] = line.split('\t')
    return { title, seconds: Number(seconds), isBroken: status === 'failed' }
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { lines, failed } = report(process.argv[2] ?? '')
  console.log(lines.join('\n'))
  process.exitCode = failed === 0 ? 0 : 1
}
