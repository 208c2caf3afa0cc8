import { createHash } from 'node:crypto'
import type { StandingsFeed } from '@pennant/contract/extrank-export.ts'
import type { z } from 'zod'
import { preparedBytes, type Prepared } from '../../../http/response/prepared.ts'
import { createTurns } from '../../../lib/turns.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'

type Feed = z.input<typeof StandingsFeed>
type Row = Feed['standings'][number]

export interface FeedSource {
  readonly world: WorldView
  readonly now: number
  /** Whether later results are not published yet. */
  readonly isFrozen: boolean
}

/** The standings for the poller of a ranking site: docs/reference/leaderboard.md#standings-feed */
export function minimalFeed(source: FeedSource): Feed {
  return { standings: rowsOf(source), final: isFinal(source) }
}

function rowsOf({ world }: FeedSource): Row[] {
  const ids = world.ranked({ offset: 0, limit: world.rankedCount() })
  return ids.map((id, index) => ({
    pos: index + 1,
    team: world.team(id)?.name ?? '',
    score: world.standing(id).score,
  }))
}

function isFinal({ world, now, isFrozen }: FeedSource): boolean {
  return now >= world.endTime && !isFrozen
}

/** Characters that are joined before they become bytes. */
const PART_LENGTH = 256 * 1024

/**
 * The maximal form. It has an entry for each solve, megabytes for thousands of teams, so it is written as text and
 * other requests have their turns meanwhile. Ranks, scores and points are those of the call; later solves are left out.
 */
export async function maximalFeed(source: FeedSource): Promise<Prepared> {
  const { world } = source
  const ids = world.ranked({ offset: 0, limit: world.rankedCount() })
  const rows = rowsOf(source)
  const tasks = tasksOf(source)
  const names = [...tasks.values()].map(({ name }) => name)
  const end = `],"final":${isFinal(source)}}`
  const parts: Buffer[] = []
  const hash = createHash('sha1')
  const add = (text: string) => {
    const part = Buffer.from(text)
    parts.push(part)
    hash.update(part)
  }
  let text = `{"tasks":${JSON.stringify(names)},"standings":[`
  const turn = createTurns()
  for (const [index, row] of rows.entries()) {
    const stats = statsOf(source, ids[index] ?? '', tasks)
    text += `${index > 0 ? ',' : ''}${JSON.stringify(row).slice(0, -1)},${stats}}`
    if (text.length > PART_LENGTH) {
      add(text)
      text = ''
    }
    await turn()
  }
  add(text + end)
  return preparedBytes(Buffer.concat(parts), `"${hash.digest('base64url')}"`)
}

interface Task {
  /** Unique. */
  readonly name: string
  /** As JSON. */
  readonly key: string
  /** Null if each team has its own. */
  readonly points: number | null
}

/** Challenges that everyone may know about, by id. Before the start there are none. */
function tasksOf({ world, now }: FeedSource): Map<string, Task> {
  const tasks = new Map<string, Task>()
  const taken = new Set<string>()
  if (now < world.startTime) return tasks
  for (const { id, name, points, scoringKind } of world.publicChallenges().filter(isKnown)) {
    const unique = taken.has(name) ? `${name} (${id})` : name
    taken.add(unique)
    tasks.set(id, {
      name: unique,
      key: JSON.stringify(unique),
      points: scoringKind === 'dynamic' ? null : points,
    })
  }
  return tasks
}

/** The name of a locked challenge may be hidden from teams that have not unlocked it. */
function isKnown({ prerequisites = [], lockedShown = false }: Challenge): boolean {
  return prerequisites.length === 0 || lockedShown
}

/** The fields `taskStats` and `lastAccept` of a team, as JSON. */
function statsOf({ world, now }: FeedSource, teamId: string, tasks: ReadonlyMap<string, Task>): string {
  let stats = ''
  let lastAt = 0
  const add = (key: string, points: number, at: number) => {
    if (at >= world.endTime || at > now) return
    lastAt = Math.max(lastAt, at)
    stats += `${stats === '' ? '' : ','}${key}:{"points":${points},"time":${Math.floor(at / 1000)}}`
  }
  for (const [challengeId, { key, points }] of tasks) {
    const at = points === null ? null : world.solvedAt(challengeId, teamId)
    if (at !== null) add(key, points ?? 0, at)
  }
  for (const { challengeId, points, scoredAt } of world.feedScoresOfTeam(teamId)) {
    const task = tasks.get(challengeId)
    if (task) add(task.key, points, scoredAt)
  }
  return `"taskStats":{${stats}}${lastAt > 0 ? `,"lastAccept":${Math.floor(lastAt / 1000)}` : ''}`
}
