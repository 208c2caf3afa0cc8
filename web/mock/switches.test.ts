import { expect, it } from 'vitest'
import { pseudo, pseudoText } from './pseudo.ts'
import { usualScenario } from './scenario.ts'
import { parseSwitches } from './switches.ts'

it('parses every switch', () => {
  const text =
    'phase:before,role:organiser,slow:250,teams:10000,500:/leaderboard,offline,empty,status:down,pseudo,rtl'
  expect(parseSwitches(text)).toEqual({
    scenario: {
      ...usualScenario,
      phase: 'before',
      teams: 10_000,
      delayMs: 250,
      isEmpty: true,
      status: 'down',
      faults: [
        { path: '/leaderboard', failure: 'internal' },
        { path: '/api/', failure: 'network' },
      ],
    },
    role: 'organiser',
    isPseudo: true,
    isRtl: true,
  })
  expect(parseSwitches('')).toMatchObject({ scenario: usualScenario, role: null })
})

it.each(['phase:noon', 'role:king', 'status:fine', 'teams:many', 'teams:-1', 'fast', 'constructor'])(
  'refuses %s',
  (text) => {
    expect(() => parseSwitches(text)).toThrow(/switch|none of|not 0/)
  },
)

it('lengthens texts by 40 %, including those that functions return', () => {
  expect(pseudoText('Register').length).toBeGreaterThanOrEqual(Math.ceil('Register'.length * 1.4))
  const messages = pseudo({
    list: ['One'],
    solves: (count: number) => `${count} solves`,
    group: { open: 'Open' },
  })
  expect([messages.list[0], messages.solves(3), messages.group.open]).toEqual([
    '[Öñé~]',
    '[3 šölvéš~~~]',
    '[Öpéñ~]',
  ])
})
