import { describe, expect, test } from 'vitest'
import { effectiveSettings, pictureSources, sitePictureSources, type EventSettings } from './rules.ts'

const defaults: EventSettings = {
  ctfName: 'Default CTF',
  visibility: {},
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
      visibility: { scoreboard: 'division' as const },
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

describe('the sources of pictures', () => {
  const bucket = 'https://files.test'

  test('in texts are uploads, and everywhere only if organisers allow it', () => {
    expect(pictureSources({}, null)).toEqual([])
    expect(pictureSources({}, bucket)).toEqual([bucket])
    expect(pictureSources({ externalPictures: true }, bucket)).toEqual([bucket, 'https:'])
  })

  test('of the site are also the origins of logos and sponsors', () => {
    const icons = ['https://a.test/x.png', 'https://a.test/y.png', '/own.svg', 'javascript:1', 'https://']
    const sponsors = icons.map((icon) => ({ name: '', icon, description: '' }))
    const settings = { ...defaults, logoDarkUrl: 'HTTPS://Logo.test/1', sponsors }
    expect(sitePictureSources([bucket], settings, [])).toEqual([
      bucket,
      'https://logo.test',
      'https://a.test',
    ])
    expect(sitePictureSources([bucket, 'https:'], settings, [])).toEqual(['https:'])
  })

  test('of more sponsors than a header has room for are all', () => {
    const sponsors = Array.from({ length: 100 }, (_, at) => ({
      name: '',
      icon: `https://${at}.test/`,
      description: '',
    }))
    expect(sitePictureSources([], { ...defaults, sponsors }, [])).toEqual(['https:'])
    expect(sitePictureSources(['http://minio.test'], { ...defaults, sponsors }, [])).toEqual([
      'https:',
      'http://minio.test',
    ])
  })

  test('are also the stores of earlier avatars', () => {
    const avatars = [
      '/uploads/avatars/a.webp',
      null,
      'https://old.test/avatars/a.webp',
      'https://old.test/b',
      'x',
    ]
    expect(sitePictureSources([], defaults, avatars)).toEqual(['https://old.test'])
    expect(sitePictureSources([], defaults, ['https://old.test;script-src'])).toEqual(['https://old.test'])
  })
})
