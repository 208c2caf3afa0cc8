import type { StandingsFeed } from '@pennant/contract/extrank-export.ts'
import type { z } from 'zod'
import type { Challenge, WorldView } from '../../world/model.ts'

type Feed = z.input<typeof StandingsFeed>
type Row = Feed['standings'][number]

export interface FeedSource {
  readonly world: WorldView
  readonly now: number
  /** Whether later results are not published yet. */
  readonly isFrozen: boolean
  readonly isMaximal: boolean
}

/** The standings for the poller of a ranking site: docs/reference/leaderboard.md#standings-feed */
export function standingsFeed({ world, now, isFrozen, isMaximal }: FeedSource): Feed {
  const ids = world.ranked({ offset: 0, limit: world.rankedCount() })
  const final = now >= world.endTime && !isFrozen
  const tasks = isMaximal && now >= world.startTime ? taskNames(world) : new Map<string, string>()
  const standings = ids.map((id, index): Row => {
    const row = { pos: index + 1, team: world.team(id)?.name ?? '', score: world.standing(id).score }
    return isMaximal ? { ...row, ...statsOf(world, id, tasks) } : row
  })
  return isMaximal ? { tasks: [...tasks.values()], standings, final } : { standings, final }
}

/** A unique name for each challenge that everyone may know about, by id. */
function taskNames(world: WorldView): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id, name } of world.publicChallenges().filter(isKnown)) {
    const unique = taken.has(name) ? `${name} (${id})` : name
    taken.add(unique)
    names.set(id, unique)
  }
  return names
}

/** The name of a locked challenge may be hidden from teams that have not unlocked it. */
function isKnown({ prerequisites = [], lockedShown = false }: Challenge): boolean {
  return prerequisites.length === 0 || lockedShown
}

function statsOf(world: WorldView, teamId: string, tasks: ReadonlyMap<string, string>) {
  const taskStats: Record<string, { points: number; time: number }> = {}
  let lastAt = 0
  const add = (challengeId: string, points: number, at: number) => {
    const task = tasks.get(challengeId)
    if (task === undefined || at >= world.endTime) return
    lastAt = Math.max(lastAt, at)
    setOwn(taskStats, task, { points, time: Math.floor(at / 1000) })
  }
  for (const { challengeId, createdAt } of world.solvesOfTeam(teamId)) {
    const challenge = world.challenge(challengeId)
    if (challenge && challenge.scoringKind !== 'dynamic') add(challengeId, challenge.points, createdAt)
  }
  for (const { challengeId, points, scoredAt } of world.feedScoresOfTeam(teamId))
    add(challengeId, points, scoredAt)
  return { taskStats, ...(lastAt > 0 && { lastAccept: Math.floor(lastAt / 1000) }) }
}

/** A challenge may have the name `__proto__`. */
function setOwn<V>(target: Record<string, V>, key: string, value: V): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
