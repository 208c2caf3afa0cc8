import { defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node'
import { databaseTests } from './tools/test-database.ts'

/**
 * Tests that run separately, named by the end of their files: `engine` needs a container engine, `browser` Chromium, `webkit`
 * WebKitGTK; `slow` kills programs, compiles or tries thousands of cases, for minutes.
 */
const NEEDS = ['engine', 'browser', 'webkit', 'slow']
const wanted = process.env.PENNANT_TEST_WITH?.split(',').filter((need) => NEEDS.includes(need)) ?? []
const folders = '{contract,server,bot,web,tools}/**'
const special = (needs: string[]) => needs.map((need) => `${folders}/*.${need}.test.{ts,tsx}`)

const include = wanted.length > 0 ? special(wanted) : [`${folders}/*.test.{ts,tsx}`]
/** They send thousands of requests, which are refused before they reach the database: a run with another database leaves them out. */
const hostile = process.env.PENNANT_TEST_DATABASE_URL
  ? ['server/test/{fuzz,security}/*.slow.test.ts', 'tools/mutants/*.slow.test.ts']
  : []
/** They count what a request allocates, which other tests of the same process would change. */
const alone = ['server/test/journeys/allocations.test.ts']
const exclude = [
  '**/dist/**',
  '**/node_modules/**',
  ...hostile,
  ...special(NEEDS.filter((need) => !wanted.includes(need))),
]
const withDatabase = databaseTests().filter((path) => !alone.includes(path))

/** The slowest browser tests start first, so that all workers end at about the same time. */
const SLOWEST = ['31-every-state', '33-states', 'bot/test/', '05-opening', '/50']

function rankOf({ moduleId }: TestSpecification): number {
  const at = SLOWEST.findIndex((name) => moduleId.includes(name))
  return at === -1 ? SLOWEST.length : at
}

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}

function workers(): number {
  // Container engines share the machine's network and firewall: one file after the other.
  if (wanted.includes('engine')) return 1
  // Two fit two cores. Slow and browser tests wait a third of their time, for disks, programs and pages, and the embedded database
  // accepts enough connections for a third worker.
  const isWaiting = wanted.includes('slow') || wanted.includes('browser')
  return isWaiting && !process.env.PENNANT_TEST_DATABASE_URL ? 3 : 2
}

const SHOWN = 10

/** Ends a run of many files with its slowest tests. `.ci/run` names other reporters and prints its own list. */
const slowestTests: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length <= SHOWN) return
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        name: `${module.relativeModuleId} > ${test.fullName}`,
        ms: test.diagnostic()?.duration ?? 0,
      })),
    )
    const slowest = tests.toSorted((one, other) => other.ms - one.ms).slice(0, SHOWN)
    const lines = slowest.map(({ name, ms }) => `  ${(ms / 1000).toFixed(1).padStart(5)}  ${name}`)
    console.log(['slowest tests, in seconds:', ...lines].join('\n'))
  },
}

export default defineConfig({
  test: {
    reporters: ['default', slowestTests],
    // Imports JSON in the way of bundlers, which Node refuses.
    server: { deps: { inline: [/@actions\/workflow-parser/] } },
    passWithNoTests: wanted.length > 0,
    // Loading the sources again for each file takes a third of the time of a whole run, so the files of a worker share them, and
    // the browser. A test that changes something global must change it back.
    isolate: false,
    ...(wanted.includes('browser') && { sequence: { sequencer: SlowestFirst } }),
    maxWorkers: workers(),
    // Some tests start whole programs: a bound for a busy machine, not a measure.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include, exclude: [...exclude, ...withDatabase, ...alone] },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          isolate: true,
          include: wanted.length === 0 ? alone : [],
          exclude,
          globalSetup: ['server/test/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: withDatabase.filter(
            (path) => wanted.length === 0 || wanted.some((need) => path.includes(`.${need}.test.`)),
          ),
          exclude,
          globalSetup: ['server/test/global-setup.ts'],
        },
      },
    ],
  },
})
