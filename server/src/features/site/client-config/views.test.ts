import { describe, expect, test } from 'vitest'
import { ClientConfigV1, ClientConfigV2 } from '@pennant/contract/client-config.ts'
import { configuredTimes } from '../../../lib/event-times.ts'
import type { EventSettings } from '../settings/rules.ts'
import { clientConfigV1, clientConfigV2, type PublicDeployment } from './views.ts'

const settings: EventSettings = {
  ctfName: 'Spring CTF',
  visibility: {},
  homeContent: '# Home',
  startTime: 1000,
  endTime: 2000,
  sponsors: [{ name: 'A', icon: '/a.svg', description: 'first' }],
  meta: { description: 'about', imageUrl: '' },
  faviconUrl: null,
  logoLightUrl: '',
  logoDarkUrl: '',
}
const bare: PublicDeployment = {
  origin: 'https://ctf.test',
  divisions: { open: 'Open' },
  defaultDivision: null,
  userMembers: true,
  emailEnabled: false,
  registrationsEnabled: null,
  flagFormatPlaceholder: 'flag{...}',
  instancerEnabled: false,
  adminBotEnabled: false,
  extrank: null,
  analytics: null,
  globalSiteTag: null,
  captcha: null,
  uploadsOrigin: null,
}
const full: PublicDeployment = {
  ...bare,
  defaultDivision: 'open',
  registrationsEnabled: true,
  extrank: { clientId: '42', authorizeUrl: 'https://ranking.test/authorize' },
  analytics: { provider: 'analytics/google', publicOptions: { siteTag: 'G-1' } },
  captcha: {
    provider: 'captcha/recaptcha',
    publicOptions: { siteKey: 'key' },
    protectedActions: ['register', 'avatarUpload'],
  },
}
const event = {
  meta: { description: 'about', imageUrl: '' },
  homeContent: '# Home',
  sponsors: [{ name: 'A', icon: '/a.svg', description: 'first' }],
  ctfName: 'Spring CTF',
  startTime: 1000,
  endTime: 2000,
  divisions: { open: 'Open' },
  origin: 'https://ctf.test',
  userMembers: true,
  emailEnabled: false,
}

describe('the client config', () => {
  test('of V1 omits what is not set', () => {
    expect(clientConfigV1(settings, bare)).toStrictEqual(event)
  })

  test('of V1 has the captcha, the analytics tag and the ranking site in its own fields', () => {
    const view = clientConfigV1({ ...settings, faviconUrl: '/f.ico' }, full)
    expect(view).toStrictEqual({
      ...event,
      defaultDivision: 'open',
      registrationsEnabled: true,
      faviconUrl: '/f.ico',
      extrank: { clientId: '42' },
      globalSiteTag: 'G-1',
      legacyCaptcha: { siteKey: 'key', protectedActions: ['register', 'avatarUpload'] },
    })
    expect(ClientConfigV1.strict().parse(view)).toEqual(view)
  })

  test('of V1 prefers the old site tag, and omits captchas of other providers', () => {
    const turnstile = { provider: 'captcha/turnstile', publicOptions: { siteKey: 'k' }, protectedActions: [] }
    const view = clientConfigV1(settings, { ...full, globalSiteTag: 'UA-0', captcha: turnstile })
    expect(view.globalSiteTag).toBe('UA-0')
    expect(view).not.toHaveProperty('legacyCaptcha')
    const cloudflare = { provider: 'analytics/cloudflare', publicOptions: { token: 't' } }
    expect(clientConfigV1(settings, { ...bare, analytics: cloudflare })).not.toHaveProperty('globalSiteTag')
  })

  test('says so while the event is not scheduled, and keeps the types of the times', () => {
    const unscheduled = { ...settings, ...configuredTimes({}) }
    for (const [view, schema] of [
      [clientConfigV1(unscheduled, bare), ClientConfigV1],
      [clientConfigV2(unscheduled, bare), ClientConfigV2],
    ] as const) {
      expect(view).toMatchObject({ scheduled: false, startTime: Date.UTC(9999, 0, 1) })
      expect(schema.strict().parse(view)).toEqual(view)
    }
  })

  test('of V2 has null for what is not set, and for empty logos', () => {
    expect(clientConfigV2(settings, bare)).toStrictEqual({
      ...event,
      defaultDivision: null,
      registrationsEnabled: null,
      faviconUrl: null,
      logoLightUrl: null,
      logoDarkUrl: null,
      extrank: null,
      flagFormatPlaceholder: 'flag{...}',
      analytics: null,
      captcha: null,
      instancerEnabled: false,
      isArchived: false,
    })
  })

  test('of V2 lists all seven captcha actions', () => {
    const logos = { logoLightUrl: '/l.svg', logoDarkUrl: '/d.svg' }
    const view = clientConfigV2({ ...settings, ...logos }, full)
    expect(view).toMatchObject({
      ...logos,
      extrank: { clientId: '42', authorizeUrl: 'https://ranking.test/authorize' },
      analytics: { provider: 'analytics/google', publicOptions: { siteTag: 'G-1' } },
    })
    expect(view.captcha).toStrictEqual({
      provider: 'captcha/recaptcha',
      publicOptions: { siteKey: 'key' },
      protectedEndpoints: {
        register: true,
        recover: false,
        setEmail: false,
        instancerStart: false,
        instancerExtend: false,
        avatarUpload: true,
        adminBotSubmit: false,
      },
    })
    expect(ClientConfigV2.strict().parse(view)).toEqual(view)
  })

  test('has only the known fields of a stored sponsor', () => {
    const stored = { name: 'B', icon: 'b', description: 'd', url: 'https://b.test', secret: 'x' }
    expect(clientConfigV2({ ...settings, sponsors: [stored] }, bare).sponsors).toStrictEqual([
      { name: 'B', icon: 'b', description: 'd', url: 'https://b.test' },
    ])
  })
})
