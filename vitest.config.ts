import { defineConfig } from 'vitest/config'

/** Tests that need more than Node: `engine` a container engine, `browser` Chromium. Named by the end of their files. */
const NEEDS = ['engine', 'browser']
const wanted = process.env.PENNANT_TEST_WITH?.split(',').filter((need) => NEEDS.includes(need)) ?? []
const folders = '{contract,server,bot,web,tools}/**'
const special = (needs: string[]) => needs.map((need) => `${folders}/*.${need}.test.{ts,tsx}`)

export default defineConfig({
  test: {
    include: wanted.length > 0 ? special(wanted) : [`${folders}/*.test.{ts,tsx}`],
    exclude: ['**/dist/**', '**/node_modules/**', ...special(NEEDS.filter((need) => !wanted.includes(need)))],
    passWithNoTests: wanted.length > 0,
    globalSetup: ['server/test/global-setup.ts'],
    // Databases are cloned per test file; two workers fit two cores.
    // Container engines share the machine's network and firewall: one file after the other.
    maxWorkers: wanted.includes('engine') ? 1 : 2,
    // Some tests start whole programs: a bound for a busy machine, not a measure.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
