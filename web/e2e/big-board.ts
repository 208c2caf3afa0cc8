import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { startContest, type Contest, type Member } from '../../server/test/harness.ts'
import { putManyTeams } from '../../server/test/many-teams.ts'
import type { Site } from './harness.ts'

const siteDirectory = fileURLToPath(new URL('../dist', import.meta.url))
const CHALLENGES = 24
const CATEGORIES = ['web', 'crypto', 'pwn', 'rev', 'misc', 'forensics']
const COUNTRIES = ['NO', 'DE', 'BR', 'JP', null]

export const bigBoard = {
  teams: 10_000,
  /** Rank of the viewer's team, `Own Crew`. */
  place: 5000,
}

/** The configuration that the site must be opened with. */
export const bigBoardConfig = { divisions: { open: 'Open', student: 'Students' } }

/** `Crew n` has rank n; teams with even numbers are students. */
export async function fillBoard(site: Site): Promise<{ readonly contest: Contest; readonly own: Member }> {
  const { contest, addChallenge } = site
  const challenges = Array.from({ length: CHALLENGES }, (_, at) => `task-${at + 1}`)
  const points = { min: 100, max: 500 }
  for (const [at, id] of challenges.entries()) {
    await addChallenge(id, { name: `Task ${at + 1}`, category: CATEGORIES[at % CATEGORIES.length], points })
  }
  const own = await contest.team('Own Crew')
  const places = Array.from({ length: bigBoard.teams }, (_, at) => at + 1)
  const now = contest.clock.now()
  await putManyTeams(contest.db, {
    teams: places.map((place) => (place === bigBoard.place ? own.id : teamId(place))),
    countries: places.map((place) => COUNTRIES[place % COUNTRIES.length] ?? null),
    challenges,
    divisions: ['open', 'student'],
    began: new Date(now - 0.9 * HOUR_MS),
  })
  // A second process loads everything at its start instead of following each row.
  const config = { ...bigBoardConfig, startTime: now - HOUR_MS, endTime: now + 47 * HOUR_MS }
  return { contest: await startContest({ beside: contest, siteDirectory, config }), own }
}

function teamId(place: number): string {
  const hex = createHash('sha256').update(`crew ${place}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
