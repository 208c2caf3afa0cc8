import { afterAll, expect, test } from 'vitest'
import { stop } from 'esbuild'
import { compile } from './compile.ts'
import { evaluate } from './evaluate.ts'

afterAll(() => stop())

const least = 'timeoutMilliseconds: 1000, inputs: {}, async handler() {}'
const moduleOf = (options: string) => `
  import { Challenge, type Page } from '@pennant/bot'
  export const challenge = new Challenge({ ${options} })
  export type Mine = Page`

test('omitted options get their defaults, and inputs keep their order', async () => {
  const options = evaluate(
    await compile(
      moduleOf(`timeoutMilliseconds: 20_000 as number, async handler() {},
        inputs: { url: { pattern: '^https?:', flags: 'i' }, another: { pattern: '.' } }`),
    ),
  )
  expect(options).toMatchObject({
    timeoutMilliseconds: 20_000,
    browser: 'chrome',
    maxLogLines: 64,
    maxLogValueChars: 2048,
    requireInstancerInstancesRunning: false,
    hooksConfig: { showConsoleLogs: false, autoDismissDialogs: false, limitTabsNumber: -1 },
    restrictDomains: { host: { allowRegex: [], disallowRegex: [] } },
  })
  expect(Object.keys(options.inputs)).toEqual(['url', 'another'])
})

test.each([
  [
    `import { readFileSync } from 'node:fs'; readFileSync('/x')`,
    "line 1, column 30: Only '@pennant/bot' may be imported, not 'node:fs'.",
  ],
  [`import './other.ts'`, "Only '@pennant/bot' may be imported, not './other.ts'."],
  [`const x = await import('fs')`, "not 'fs'"],
  [`const fs = require('fs')`, "not 'fs'"],
  [`const = 1`, 'line 1, column 7: '],
  [`type A = {`, 'line 1'],
])('%s is refused with its position', async (code, message) => {
  await expect(compile(code)).rejects.toThrow(message)
})

test('a module name that is computed at run time imports nothing', async () => {
  const code = await compile(`const name = ['f', 's'].join(''); require(name)`)
  expect(() => evaluate(code)).toThrow("Only '@pennant/bot' may be imported, not 'fs'.")
})

test.each([
  ['export const other = 1', 'The code must export `challenge`'],
  ['export const challenge = { options: {} }', 'The code must export `challenge`'],
  ['throw new Error("at once")', 'at once'],
])('%s is reported to the author', async (source, message) => {
  const code = await compile(source)
  expect(() => evaluate(code)).toThrow(message)
})

test.each([
  [`inputs: {}, async handler() {}`, 'timeoutMilliseconds'],
  [`${least}, timeoutMilliseconds: 3_600_001`, 'timeoutMilliseconds'],
  [`timeoutMilliseconds: 1, inputs: {}`, 'handler: must be a function'],
  [`${least}, inputs: { a: { pattern: '(' } }`, 'inputs.a: is no regular expression'],
  [`${least}, inputs: { a: { pattern: 'a', flags: 'zz' } }`, 'inputs.a: is no regular expression'],
  [`${least}, browser: 'opera'`, 'browser'],
  [`${least}, browserVersion: '120'`, 'browserVersion'],
  [`${least}, restrictDomains: { host: { allowRegex: ['['] } }`, 'restrictDomains.host.allowRegex.0'],
  [`${least}, hooksConfig: { showLogs: true }`, 'hooksConfig'],
  [`${least}, puppeteerLaunchOptionsExtra: {}`, 'puppeteerLaunchOptionsExtra'],
])('options { %s } are refused by name', async (options, message) => {
  const code = await compile(moduleOf(options))
  expect(() => evaluate(code)).toThrow(message)
})
