import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,tools}/**/*.test.ts'],
    exclude: ['**/dist/**', '**/node_modules/**'],
    globalSetup: ['server/test/global-setup.ts'],
    // Databases are cloned per test file; two workers fit two cores.
    maxWorkers: 2,
    // Some tests start whole programs: a bound for a busy machine, not a measure.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
