import { HOUR_MS } from '@pennant/contract/durations.ts'
import { createChance } from './chance.ts'
import type { Scenario } from './scenario.ts'
import type { MockTeam } from './world.ts'

const FIRST =
  'Copper Salt Paper Iron Midnight Velvet Arctic Lazy Binary Polite Electric Hollow Tidal Crimson Quiet Rusty'
const SECOND =
  'Anchors Otters Overflow Lanterns Pirates Kernels Herons Parsers Compass Gulls Packets Sextants Daemons Kelp'
const firsts = FIRST.split(' ')
const seconds = SECOND.split(' ')
const COUNTRIES = [null, 'NO', 'DE', 'JP', 'BR', 'US', null, 'IN', 'KR', 'FR', 'PL', 'VN', 'NG', 'GB', 'MX']
const STATUSES = [null, null, 'here for the stickers', null, null, 'first contest, be kind', null]
const DIVISIONS = ['open', 'open', 'students', 'open', 'beginners']

/** The skill of each simulated team, in [0, 1), in the order of `makeTeams`. */
export function skillOf(index: number): number {
  return createChance(index * 7919 + 11)() ** 1.6
}

function team(fields: Pick<MockTeam, 'id' | 'name'> & Partial<MockTeam>): MockTeam {
  return {
    perms: 0,
    banned: false,
    division: 'open',
    countryCode: null,
    statusText: null,
    avatarUrl: null,
    email: `${fields.id}@mail.example`,
    extrankId: null,
    createdAt: 0,
    ...fields,
  }
}

/** A small image that needs no server. */
function picture(color: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path fill="${color}" d="M0 0h4v4H0z"/><path fill="#fff" d="m1 1 2 1-2 1z"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

// Names are printable ASCII by the contract; other scripts appear in texts that allow them.
const NAMED: readonly MockTeam[] = [
  team({
    id: 'team-player',
    name: 'Segfault Sailors',
    countryCode: 'NO',
    statusText: 'vi kommer fra nord',
    avatarUrl: picture('#1f54b5'),
    extrankId: '48213',
  }),
  team({
    id: 'team-rival',
    name: 'the quick brown fuzzers jump over the lazy sanitizer and keep on',
    countryCode: 'BR',
    statusText: 'نحن نحب الأعلام — and a status that is exactly sixty long!!!',
    avatarUrl: picture('#a01d72'),
  }),
  team({ id: 'team-banned', name: 'Shared Flags Inc', banned: true, email: null }),
  team({ id: 'team-reader', name: 'Press Office', perms: 5 }),
  team({ id: 'team-admin', name: 'Organisers', perms: 63 }),
]

/** All teams, the named ones first. */
export function makeTeams({ teams, isEmpty }: Scenario, startTime: number): MockTeam[] {
  const count = isEmpty ? 0 : teams
  const others = Array.from({ length: count }, (_, index) => {
    const round = Math.floor(index / (firsts.length * seconds.length))
    const name = `${firsts[index % firsts.length]} ${seconds[Math.floor(index / firsts.length) % seconds.length]}`
    return team({
      id: `team-${index + 1}`,
      name: round === 0 ? name : `${name} ${round + 1}`,
      division: DIVISIONS[index % DIVISIONS.length] ?? 'open',
      countryCode: COUNTRIES[(index * 7) % COUNTRIES.length] ?? null,
      statusText: STATUSES[index % STATUSES.length] ?? null,
      avatarUrl: index % 9 === 4 ? picture('#0b6a45') : null,
      banned: index % 40 === 31,
    })
  })
  return [...NAMED, ...others].map((each, index) => ({
    ...each,
    createdAt: startTime - 30 * HOUR_MS - (index % 200) * HOUR_MS,
  }))
}
