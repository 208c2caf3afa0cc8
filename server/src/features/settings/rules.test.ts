import { describe, expect, test } from 'vitest'
import { effectiveSettings, type EventSettings } from './rules.ts'

const defaults: EventSettings = {
  ctfName: 'Default CTF',
  homeContent: '# Home',
  startTime: 1000,
  endTime: 2000,
  freezeTime: null,
  sponsors: [{ name: 'A', icon: '/a.svg', description: 'first' }],
  meta: { description: 'about', imageUrl: '/image.png' },
  faviconUrl: '/favicon.svg',
  logoLightUrl: '/light.svg',
  logoDarkUrl: '/dark.svg',
}

describe('effective settings', () => {
  test('are the defaults while nothing is stored', () => {
    expect(effectiveSettings(defaults, {})).toEqual(defaults)
  })

  test('use each stored key instead of its default', () => {
    const overrides = {
      ctfName: 'Stored',
      homeContent: 'stored home',
      startTime: 1,
      endTime: 2,
      freezeTime: 1,
      sponsors: [{ name: 'B', icon: 'b', description: 'second', url: 'https://b.test' }],
      meta: { description: 'stored', imageUrl: '/stored.png' },
      faviconUrl: '/f',
      logoLightUrl: '/l',
      logoDarkUrl: '/d',
    }
    expect(effectiveSettings(defaults, overrides)).toEqual(overrides)
  })

  test('accept empty texts, empty lists and zero as values', () => {
    const overrides = { homeContent: '', sponsors: [], startTime: 0, logoLightUrl: '', faviconUrl: '' }
    expect(effectiveSettings(defaults, overrides)).toEqual({ ...defaults, ...overrides })
  })

  test('use the defaults within meta key by key', () => {
    expect(effectiveSettings(defaults, { meta: { description: '' } }).meta).toEqual({
      description: '',
      imageUrl: '/image.png',
    })
  })
})
