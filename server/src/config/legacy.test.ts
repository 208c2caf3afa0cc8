import { expect, test } from 'vitest'
import { renameOldKeys } from './legacy.ts'

const ignore = () => {}

test('a legacy captcha becomes a provider', () => {
  const old = { legacyCaptcha: { siteKey: 's', secretKey: 'k', protectedActions: ['register'] } }
  expect(renameOldKeys(old, ignore)).toEqual({
    captcha: {
      provider: { name: 'captcha/recaptcha', options: { siteKey: 's', secretKey: 'k' } },
      protectedEndpoints: ['register'],
    },
  })
})

test('a legacy captcha keeps the address of a custom service', () => {
  const verifyUrl = 'https://captcha.example/siteverify'
  const old = { legacyCaptcha: { siteKey: 's', secretKey: 'k', verifyUrl } }
  expect(renameOldKeys(old, ignore)).toMatchObject({
    captcha: { provider: { options: { siteKey: 's', secretKey: 'k', verifyUrl } } },
  })
})

test('ignores a legacy captcha if a provider is set', () => {
  const captcha = { provider: { name: 'captcha/static', options: { code: 'c' } } }
  expect(renameOldKeys({ captcha, legacyCaptcha: { siteKey: 's' } }, ignore)).toEqual({ captcha })
})

test('a deprecated key is ignored with a warning if the new one is set', () => {
  const warnings: string[] = []
  const values = { instancer: { name: 'instancers/memory' }, instancers: {} }
  expect(renameOldKeys(values, (line) => warnings.push(line))).toEqual({ instancers: {} })
  expect(warnings).toEqual(['instancer: deprecated key, ignored because of instancers; please rename it'])
})

test('the old site tag is kept for clients of version 1 if an analytics provider is configured', () => {
  const warnings: string[] = []
  const values = { globalSiteTag: 'G-1', analytics: { provider: { name: 'analytics/cloudflare' } } }
  expect(renameOldKeys(values, (line) => warnings.push(line))).toEqual(values)
  expect(warnings).toHaveLength(1)
})

test('a site tag becomes an analytics provider, and a single instancer a map with one entry', () => {
  const instancer = { name: 'instancers/memory' }
  expect(renameOldKeys({ globalSiteTag: 'G-1', instancer }, ignore)).toEqual({
    analytics: { provider: { name: 'analytics/google', options: { siteTag: 'G-1' } } },
    instancers: { default: instancer },
  })
})

test('a key without effect is dropped, and the warning says why', () => {
  const warnings: string[] = []
  const values = { leaderboard: { updateInterval: 30_000, maxLimit: 50 } }
  expect(renameOldKeys(values, (line) => warnings.push(line))).toEqual({ leaderboard: { maxLimit: 50 } })
  expect(warnings).toEqual([
    'leaderboard.updateInterval: has no effect, because standings are updated with each change; please remove it',
  ])
})

test('the given values are not modified', () => {
  const old = { database: { sql: 'postgres://a/b' } }
  renameOldKeys(old, ignore)
  expect(old).toEqual({ database: { sql: 'postgres://a/b' } })
})
