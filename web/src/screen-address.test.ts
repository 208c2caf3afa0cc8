import {
  assert,
  boolean,
  constantFrom,
  integer,
  option,
  property,
  record,
  string,
  subarray,
} from 'fast-check'
import { expect, test } from 'vitest'
import {
  MAX_TITLE,
  PANELS,
  readScreen,
  screenQuery,
  usualScreen,
  type ScreenSettings,
} from './screen-address.ts'

const read = (query: string) => readScreen(new URLSearchParams(query))

test('an address without parameters is the usual screen', () => {
  expect(read('')).toEqual({ settings: usualScreen, problems: [] })
})

test('parameters choose panels, rows, theme, scale, title and background', () => {
  const query =
    'panels=bloods,leaderboard&rows=5&division=open&theme=light&scale=1.5&title=Finals&background=transparent&moments=off'
  expect(read(query)).toEqual({
    settings: {
      panels: ['leaderboard', 'bloods'],
      rows: 5,
      division: 'open',
      theme: 'light',
      scale: 1.5,
      title: 'Finals',
      isTransparent: true,
      hasMoments: false,
    },
    problems: [],
  })
})

test.each([
  ['panels=clock', 'panels'],
  ['panels=', 'panels'],
  ['rows=0', 'rows'],
  ['rows=26', 'rows'],
  ['rows=ten', 'rows'],
  ['rows=1e1', 'rows'],
  ['theme=pink', 'theme'],
  ['scale=9', 'scale'],
  ['scale=-1', 'scale'],
  ['scale=NaN', 'scale'],
  [`title=${'x'.repeat(MAX_TITLE + 1)}`, 'title'],
  ['background=green', 'background'],
  ['moments=true', 'moments'],
  ['row=5', 'unknown'],
  ['__proto__=5', 'unknown'],
  ['rows=5&rows=6', 'repeated'],
])('%s is refused', (query, kind) => {
  const [[name = '', value = ''] = []] = new URLSearchParams(query)
  expect(read(query)).toEqual({ settings: usualScreen, problems: [{ name, value, kind }] })
})

test('every nonsense is reported, not only the first', () => {
  expect(read('rows=99&theme=pink&rows2=1').problems.map(({ name }) => name)).toEqual([
    'rows',
    'theme',
    'rows2',
  ])
})

test('the address of any screen is read as that screen', () => {
  const screens = record({
    panels: subarray([...PANELS], { minLength: 1 }),
    rows: integer({ min: 1, max: 25 }),
    division: option(string({ minLength: 1 }), { nil: undefined }),
    theme: constantFrom('dark' as const, 'light' as const, undefined),
    scale: integer({ min: 50, max: 300 }).map((percent) => percent / 100),
    title: option(string({ maxLength: MAX_TITLE }), { nil: undefined }).map((title) => title?.trim()),
    isTransparent: boolean(),
    hasMoments: boolean(),
  })
  assert(
    property(screens, (settings: ScreenSettings) => {
      expect(read(screenQuery(settings))).toEqual({ settings, problems: [] })
    }),
  )
})
