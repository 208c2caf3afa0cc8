import { expect, test } from 'vitest'
import { environmentLayer } from './environment.ts'
import { readConfig } from './read-config.ts'

const needed = { tokenKey: Buffer.alloc(32).toString('base64'), startTime: 0, endTime: 1000 }

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

test('a mistake in a destination of bloods is told with its full path', () => {
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
    expect.stringMatching(
      /^pennant.yaml: bloodBot\.destinations\.0\.provider\.options\.url: must be an address/,
    ),
    expect.stringMatching(/^pennant.yaml: bloodBot\.destinations\.1\.provider\.options\.secrt: unknown key/),
    expect.stringMatching(
      /^pennant.yaml: bloodBot\.destinations\.1\.messageTemplate: is no template: Unclosed/,
    ),
    expect.stringMatching(
      /^pennant.yaml: bloodBot\.destinations\.2\.provider\.name: no such provider; did you mean messages\/discord/,
    ),
  ])
})

test('bloods need a destination, and tell of the first solve unless told otherwise', () => {
  expect(mistakesOf({ bloodBot: { destinations: [] } })).toHaveLength(1)
  const provider = { name: 'messages/webhook', options: { url: 'https://x/hook/' } }
  expect(read({ bloodBot: { destinations: [{ provider }] } }).bloodBot).toMatchObject({
    bloodsCount: 1,
    destinations: [{ provider, bloodEmojis: [] }],
  })
})

test('the old site tag is analytics of its vendor, from the environment too', () => {
  const google = { provider: { name: 'analytics/google', options: { siteTag: 'G-1' } } }
  expect(read({ globalSiteTag: 'G-1' }).analytics).toMatchObject(google)
  const layers = [{ source: 'file', values: needed }, environmentLayer({ PENNANT_GLOBAL_SITE_TAG: 'G-1' })]
  expect(readConfig(layers).analytics).toMatchObject(google)
})

test('the old site tag stays what it was beside a provider of analytics', () => {
  const analytics = { provider: { name: 'analytics/cloudflare', options: { token: 't' } } }
  expect(read({ globalSiteTag: 'G-1', analytics })).toMatchObject({ analytics, globalSiteTag: 'G-1' })
})

test('an option that is missing is told with its full path', () => {
  expect(mistakesOf({ analytics: { provider: 'analytics/google' } })).toEqual([
    'pennant.yaml: analytics.provider.options.siteTag: is missing',
  ])
})
