import { hasPermissions } from '@pennant/contract/permissions.ts'
import { mayUseCaches } from '../../../lib/caching.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'

// Which public challenges exist for a team: docs/reference/waves.md#prerequisites

/** Who asks. Null without a token. */
export type Caller = { readonly id: string; readonly perms: number } | null

/** The contest as one caller may see it. */
export interface Visible {
  /** The world itself if nothing is closed. Otherwise closed challenges are not public in it. */
  readonly world: WorldView
  /** Callers with the same key see the same; empty if nothing is closed. Add it to cache keys. */
  readonly key: string
  readonly closed: readonly Challenge[]
}

/** Whether the team may open a public challenge. A solve of the challenge itself keeps it open. */
export function isOpenFor(world: WorldView, challenge: Challenge, teamId: string | null): boolean {
  const { id, prerequisites = [] } = challenge
  if (prerequisites.length === 0) return true
  if (teamId === null) return false
  return isSolvedBy(world, id, teamId) || prerequisites.every((each) => isSolvedBy(world, each, teamId))
}

/** A team that scores on a dynamic challenge has solved it. Solves after a freeze open challenges too. */
function isSolvedBy(world: WorldView, challengeId: string, teamId: string): boolean {
  const { own } = world
  return own.hasSolved(challengeId, teamId) || (own.dynamicScore(challengeId, teamId)?.points ?? 0) > 0
}

/** Public challenges with prerequisites. The list is a new array after each change of a challenge. */
const gatedBy = new WeakMap<readonly Challenge[], readonly Challenge[]>()

export function gatedChallenges(world: WorldView): readonly Challenge[] {
  const all = world.publicChallenges()
  const known = gatedBy.get(all)
  if (known && mayUseCaches()) return known
  const gated = all.filter(({ prerequisites = [] }) => prerequisites.length > 0)
  if (mayUseCaches()) gatedBy.set(all, gated)
  return gated
}

/** Organisers see all. Costs one look at an empty list in a contest without prerequisites. */
export function visibleTo(world: WorldView, caller: Caller): Visible {
  const gated = gatedChallenges(world)
  if (gated.length === 0 || (caller && hasPermissions(caller.perms, ['challsRead']))) return whole(world)
  return without(
    world,
    gated.filter((challenge) => !isOpenFor(world, challenge, caller?.id ?? null)),
  )
}

/** For pages that all callers share: without challenges that some teams must not know of. */
export function visibleToAll(world: WorldView): Visible {
  const secret = gatedChallenges(world).filter(({ lockedShown }) => !lockedShown)
  return secret.length === 0 ? whole(world) : without(world, secret)
}

function whole(world: WorldView): Visible {
  return { world, key: '', closed: [] }
}

/** Views of one list of challenges, by key. */
const views = new WeakMap<readonly Challenge[], Map<string, Visible>>()
/** Sets of closed challenges that are kept for one list: each is a few arrays. */
const MAX_VIEWS = 1000

function without(world: WorldView, closed: readonly Challenge[]): Visible {
  if (closed.length === 0) return whole(world)
  const key = `-${closed.map(({ id }) => JSON.stringify(id)).join()}`
  if (!mayUseCaches()) return { world: limited(world, closed), key, closed }
  const all = world.publicChallenges()
  const known = views.get(all) ?? new Map<string, Visible>()
  views.set(all, known)
  const found = known.get(key)
  if (found) return found
  if (known.size >= MAX_VIEWS) known.clear()
  const made = { world: limited(world, closed), key, closed }
  known.set(key, made)
  return made
}

/** The same world, read live, in which the closed challenges are not public. */
function limited(world: WorldView, closed: readonly Challenge[]): WorldView {
  const shut = new Map(closed.map((challenge) => [challenge.id, { ...challenge, isPublic: false }]))
  const open = world.publicChallenges().filter(({ id }) => !shut.has(id))
  const own: Partial<WorldView> = {
    challenge: (id) => shut.get(id) ?? world.challenge(id),
    challenges: () => world.challenges().map((challenge) => shut.get(challenge.id) ?? challenge),
    publicChallenges: () => open,
    dynamicScore: (id, teamId) => (shut.has(id) ? undefined : world.dynamicScore(id, teamId)),
    dynamicScores: (teamId) =>
      world.dynamicScores(teamId).filter(({ challengeId }) => !shut.has(challengeId)),
  }
  return Object.assign(Object.create(world) as WorldView, own)
}
