import { expect, test } from 'vitest'
import { configKeys } from '../config/config.ts'
import { listKeys } from '../config/keys.ts'
import { printKeys } from './config.ts'
import type { ProcessContext } from './process-context.ts'

function printed(part?: string): string {
  const lines: string[] = []
  printKeys({ print: (line: string) => void lines.push(line) } as unknown as ProcessContext, { part })
  return lines.join('\n')
}

test('prints every key with its type, default, variable and meaning, without links', () => {
  const text = printed()
  for (const { path } of listKeys(configKeys)) expect(text).toContain(`${path.join('.')} (`)
  expect(text).toContain(
    'leaderboard.maxLimit (whole number; default 100)\n  PENNANT_LEADERBOARD_MAX_LIMIT\n  Max',
  )
  expect(text).not.toContain('](')
})

test('prints the keys whose path or provider contains a text, in any case', () => {
  expect(printed('HCAPTCHA').match(/^\S+ \(/gm)).toEqual([
    'captcha.provider.options.siteKey (',
    'captcha.provider.options.secretKey (',
    'captcha.provider.options.verifyUrl (',
  ])
  // The key of CTFtime is called `extrank`.
  expect(printed('ctftime')).toContain('extrank (block)\n  PENNANT_EXTRANK\n  Sign-in with CTFtime')
  expect(() => printed('no-such-key')).toThrow('No configuration key contains `no-such-key`.')
})
