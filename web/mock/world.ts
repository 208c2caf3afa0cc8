import { windowOf, type Scenario } from './scenario.ts'

export interface MockTeam {
  readonly id: string
  readonly name: string
  readonly perms: number
  readonly banned: boolean
  readonly division: string
  readonly countryCode: string | null
}

export interface MockChallenge {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly author: string
  readonly description: string
  readonly flag: string
  readonly points: number
}

export interface MockSolve {
  readonly id: string
  readonly challengeId: string
  readonly teamId: string
  readonly createdAt: number
}

/** The contest in memory. Only handlers change it. */
export interface World {
  readonly scenario: Scenario
  readonly startTime: number
  readonly endTime: number
  readonly now: () => number
  readonly teams: ReadonlyMap<string, MockTeam>
  readonly challenges: ReadonlyMap<string, MockChallenge>
  /** Oldest first. At most one per team and challenge. */
  readonly solves: MockSolve[]
  /** Rate limits, by team and challenge: as many as there are pairs. */
  readonly buckets: Map<string, { readonly tokens: number; readonly at: number }>
}

const TOKEN_PREFIX = 'mock.'

/** The bearer token that signs a team in. */
export function tokenOf(teamId: string): string {
  return TOKEN_PREFIX + teamId
}

/** The team of a bearer token, or null when it is none of a team. */
export function teamOfToken(world: World, token: string): MockTeam | null {
  if (!token.startsWith(TOKEN_PREFIX)) return null
  return world.teams.get(token.slice(TOKEN_PREFIX.length)) ?? null
}

const team = (id: string, name: string, rest: Partial<MockTeam> = {}): MockTeam => ({
  id,
  name,
  perms: 0,
  banned: false,
  division: 'open',
  countryCode: null,
  ...rest,
})

// Names are printable ASCII by the contract; other scripts stand in texts that allow them.
const TEAMS = [
  team('team-player', 'Segfault Sailors', { countryCode: 'NO' }),
  team('team-rival', 'the quick brown fuzzers jump over the lazy sanitizer and keep on', {
    countryCode: 'BR',
  }),
  team('team-banned', 'Shared Flags Inc', { banned: true }),
  team('team-admin', 'Organisers', { perms: 63 }),
]

const CHALLENGES: readonly MockChallenge[] = [
  {
    id: 'tide-table',
    name: 'Tide Table',
    category: 'crypto',
    author: 'مريم',
    description: 'The harbour master encrypts *twice*.\n\n> [!NOTE]\n> Both times with the same key.',
    flag: 'flag{the_moon_is_a_weak_key}',
    points: 137,
  },
  {
    id: 'lighthouse',
    name: 'Lighthouse <img src=x onerror=alert(1)>',
    category: 'web',
    author: '三浦',
    description: 'It blinks.\n\n<script>alert(1)</script>\n\n> [!WARNING]\n> Do not look into the light.',
    flag: 'flag{blink_twice}',
    points: 321,
  },
  {
    id: 'bilge-pump',
    name: 'Bilge Pump',
    category: 'pwn',
    author: 'Ольга',
    description: 'Water comes in `0x40` bytes at a time.',
    flag: 'flag{overflow_below_deck}',
    points: 500,
  },
]

const FIRST_SOLVE_AFTER_MS = 42 * 60_000

/** A fresh contest as the scenario wants it. */
export function createWorld(scenario: Scenario): World {
  const { startTime, endTime } = windowOf(scenario)
  const createdAt = startTime + FIRST_SOLVE_AFTER_MS
  const first = { id: 'solve-1', challengeId: 'tide-table', teamId: 'team-rival', createdAt }
  return {
    scenario,
    startTime,
    endTime,
    now: () => scenario.now,
    teams: new Map(TEAMS.map((entry) => [entry.id, entry])),
    challenges: new Map(CHALLENGES.map((entry) => [entry.id, entry])),
    solves: scenario.now >= createdAt ? [first] : [],
    buckets: new Map(),
  }
}
