import { describe, expect, test } from 'vitest'
import { environmentLayer } from './environment.ts'
import { readConfig } from './read-config.ts'

const needed = {
  tokenKey: Buffer.alloc(32).toString('base64'),
  startTime: 1_800_000_000_000,
  endTime: 1_800_000_001_000,
}

function read(values: Readonly<Record<string, unknown>>) {
  return readConfig([{ source: 'pennant.yaml', values: { ...needed, ...values } }])
}

function mistakesOf(values: Readonly<Record<string, unknown>>): string[] {
  try {
    read(values)
    return []
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : []
  }
}

test('reports an error in a first-blood destination with the full path', () => {
  const discord = { name: 'messages/discord', options: { url: 'chat' } }
  const webhook = { name: 'messages/webhook', options: { url: 'https://x', secrt: 's' } }
  expect(
    mistakesOf({
      bloodBot: {
        destinations: [
          { provider: discord },
          { provider: webhook, messageTemplate: '{{#open}}' },
          { provider: { name: 'messages/discrod' } },
        ],
      },
    }),
  ).toEqual([
    expect.stringMatching(/^pennant.yaml: bloodBot\.destinations\.0\.provider\.options\.url: must be a URL/),
    expect.stringMatching(/^pennant.yaml: bloodBot\.destinations\.1\.provider\.options\.secrt: unknown key/),
    expect.stringMatching(
      /^pennant.yaml: bloodBot\.destinations\.1\.messageTemplate: is not a valid template: Unclosed/,
    ),
    expect.stringMatching(
      /^pennant.yaml: bloodBot\.destinations\.2\.provider\.name: no such provider; did you mean messages\/discord/,
    ),
  ])
})

test('first bloods require a destination and announce one solve by default', () => {
  expect(mistakesOf({ bloodBot: { destinations: [] } })).toHaveLength(1)
  const provider = { name: 'messages/webhook', options: { url: 'https://x/hook/' } }
  expect(read({ bloodBot: { destinations: [{ provider }] } }).bloodBot).toMatchObject({
    bloodsCount: 1,
    destinations: [{ provider, bloodEmojis: [] }],
  })
})

test('the old site tag configures Google Analytics, also from the environment', () => {
  const google = { provider: { name: 'analytics/google', options: { siteTag: 'G-1' } } }
  expect(read({ globalSiteTag: 'G-1' }).analytics).toMatchObject(google)
  const layers = [{ source: 'file', values: needed }, environmentLayer({ PENNANT_GLOBAL_SITE_TAG: 'G-1' })]
  expect(readConfig(layers).analytics).toMatchObject(google)
})

test('the old site tag is kept if an analytics provider is configured', () => {
  const analytics = { provider: { name: 'analytics/cloudflare', options: { token: 't' } } }
  expect(read({ globalSiteTag: 'G-1', analytics })).toMatchObject({ analytics, globalSiteTag: 'G-1' })
})

test('reports a missing option with the full path', () => {
  expect(mistakesOf({ analytics: { provider: 'analytics/google' } })).toEqual([
    'pennant.yaml: analytics.provider.options.siteTag: is missing',
  ])
})

describe('the sender of mail', () => {
  const readFrom = (from: unknown) => {
    const email = { provider: 'emails/memory', from }
    return read({ email }).email?.from
  }

  test.each([
    ['ctf@example.org', { address: 'ctf@example.org' }],
    ['Example CTF <ctf@example.org>', { address: 'ctf@example.org', name: 'Example CTF' }],
    ['"Example, CTF" <ctf@example.org>', { address: 'ctf@example.org', name: 'Example, CTF' }],
    ['<ctf@example.org>', { address: 'ctf@example.org' }],
  ])('may have a name: %s', (text, expected) => expect(readFrom(text)).toEqual(expected))

  test.each(['Example CTF', 'Example CTF <ctf>', 'a@b.org <c@d.org', 'A\r\nBcc: x <c@d.org>', '', '<>', 7])(
    'must be a URL: %s',
    (text) => expect(() => readFrom(text)).toThrow(/email\.from/),
  )
})
