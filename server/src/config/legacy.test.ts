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

test('a legacy captcha keeps the address of another service', () => {
  const verifyUrl = 'https://captcha.example/siteverify'
  const old = { legacyCaptcha: { siteKey: 's', secretKey: 'k', verifyUrl } }
  expect(renameOldKeys(old, ignore)).toMatchObject({
    captcha: { provider: { options: { siteKey: 's', secretKey: 'k', verifyUrl } } },
  })
})

test('a legacy captcha beside a provider is left out', () => {
  const captcha = { provider: { name: 'captcha/static', options: { code: 'c' } } }
  expect(renameOldKeys({ captcha, legacyCaptcha: { siteKey: 's' } }, ignore)).toEqual({ captcha })
})

test('an old key beside the new one is left out with a warning', () => {
  const warnings: string[] = []
  const values = { instancer: { name: 'instancers/memory' }, instancers: {} }
  expect(renameOldKeys(values, (line) => warnings.push(line))).toEqual({ instancers: {} })
  expect(warnings).toEqual(['instancer: an old key, ignored beside instancers; please rename it'])
})

test('the old site tag beside a provider of analytics stays for clients of version 1', () => {
  const warnings: string[] = []
  const values = { globalSiteTag: 'G-1', analytics: { provider: { name: 'analytics/cloudflare' } } }
  expect(renameOldKeys(values, (line) => warnings.push(line))).toEqual(values)
  expect(warnings).toHaveLength(1)
})

test('a site tag becomes an analytics provider, a single instancer a map of one', () => {
  const instancer = { name: 'instancers/memory' }
  expect(renameOldKeys({ globalSiteTag: 'G-1', instancer }, ignore)).toEqual({
    analytics: { provider: { name: 'analytics/google', options: { siteTag: 'G-1' } } },
    instancers: { default: instancer },
  })
})

test('the given values stay as they are', () => {
  const old = { database: { sql: 'postgres://a/b' } }
  renameOldKeys(old, ignore)
  expect(old).toEqual({ database: { sql: 'postgres://a/b' } })
})
