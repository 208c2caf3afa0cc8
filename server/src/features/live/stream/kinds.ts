import { hasPermissions } from '@pennant/contract/permissions.ts'
import type { StreamEventData } from '@pennant/contract/stream.ts'
import { isScheduled } from '../../../lib/event-times.ts'
import type { Challenge } from '../../../world/model.ts'
import { latestSolve, type FoundSolve } from '../../board/leaderboard/latest-solve.ts'
import { extentOf, isIn, type Extent } from '../../contest/visibility/rules.ts'
import { seenIn } from '../../contest/visibility/seen.ts'
import { gatedChallenges, isOpenFor, visibleTo } from '../../contest/challenges/visible.ts'
import type { Kind } from '../../contest/kinds/kind.ts'
import {
  isOpenTo,
  maySeeChallenges,
  teamsOfPairs,
  type AnyStateEvent,
  type AnyStreamKind,
  type Snapshot,
  type Receiver,
  type StreamEntry,
  type StreamKind,
} from '../../contest/kinds/stream-kind.ts'
import { scopeOf } from '../../news/messages/rules.ts'
import { pairKey, pairsOf } from './log-window.ts'

const viewerOf = ({ teamId, perms }: Receiver) => (teamId === null ? null : { id: teamId, perms })

/** The snapshot as the receiver may see it, and a key that receivers who see the same share. */
export function snapshotFor(
  receiver: Receiver,
  snapshot: Snapshot,
): { readonly snapshot: Snapshot; readonly key: string; readonly extent: Extent } {
  const { world, visibility } = snapshot
  const viewer = viewerOf(receiver)
  const extent = extentOf(visibility, viewer, world)
  const visible = visibleTo(seenIn(world, extent), viewer)
  return {
    snapshot: { ...snapshot, world: visible.world, shown: world },
    key: extent.key + visible.key,
    extent,
  }
}

/** The challenges that new solves of the receiver's team in this entry have opened for it. */
export function openedBy(entry: StreamEntry, { teamId }: Receiver, { world }: Snapshot): Challenge[] {
  const gated = gatedChallenges(world)
  if (gated.length === 0 || teamId === null || entry.kind !== 'solves') return []
  const added = new Set(
    pairsOf(entry.ids)
      .filter((pair) => pair.teamId === teamId && !entry.ownBefore.has(pairKey(pair)))
      .map(({ challengeId }) => challengeId),
  )
  return gated.filter(
    (challenge) =>
      challenge.prerequisites?.some((id) => added.has(id)) && isOpenFor(world, challenge, teamId),
  )
}

/** The teams for which a solve in these entries may have opened a challenge. */
export function openingTeams(entries: readonly StreamEntry[], { world }: Snapshot): string[] {
  const gated = gatedChallenges(world)
  if (gated.length === 0) return []
  const required = new Set(gated.flatMap(({ prerequisites = [] }) => prerequisites))
  return entries
    .filter(({ kind }) => kind === 'solves')
    .flatMap(({ ids }) => pairsOf(ids))
    .filter(({ challengeId }) => required.has(challengeId))
    .map(({ teamId }) => teamId)
}

/** The gate of the scoreboard. */
export function maySeeBoard(receiver: Receiver, snapshot: Snapshot): boolean {
  const { world, now } = snapshot
  const { perms } = receiver
  if (!isOpenTo('scoreboard', receiver, snapshot)) return false
  return now >= world.startTime || hasPermissions(perms, ['leaderboardRead'])
}

const solves: StreamKind<'solves'> = {
  name: 'solves',
  entryKind: 'solves',
  mayReceive: (receiver, snapshot) =>
    maySeeChallenges(receiver, snapshot) && isOpenTo('scoreboard', receiver, snapshot),
  data(entry, receiver, snapshot) {
    const { world } = snapshot
    const { board } = extentOf(snapshot.visibility, viewerOf(receiver), world)
    const isOnBoard = (id: string) => isIn(board, world.team(id)?.division)
    const added: FoundSolve[] = []
    const removed: { challengeId: string; userId: string }[] = []
    for (const pair of pairsOf(entry.ids)) {
      const challenge = world.challenge(pair.challengeId)
      const team = world.team(pair.teamId)
      if (!challenge?.isPublic || !team || team.banned || !isOnBoard(pair.teamId)) continue
      const wasSolved = entry.before.has(pairKey(pair))
      const solve = world.solve(pair.challengeId, pair.teamId)
      if (!solve && entry.shownBefore.has(pairKey(pair)))
        removed.push({ challengeId: pair.challengeId, userId: pair.teamId })
      const isListed = world.solvesOfChallenge(challenge.id).positionOf(team.id) !== null
      if (solve && !wasSolved && isListed) added.push({ challenge, solve })
    }
    if (added.length === 0 && removed.length === 0) return null
    return { solves: added.map((found) => latestSolve(world, found)), removed }
  },
}

/** The receiver's own solves that the standings do not show it, together with what all receive of the entry. */
const ownSolves: StreamKind<'solves'> = {
  name: 'solves',
  entryKind: 'solves',
  mayReceive: () => true,
  teams: (entry, { visibility }) =>
    entry.ownBefore === entry.before && visibility.scoreboard !== 'organisers' ? [] : teamsOfPairs(entry),
  data(entry, receiver, snapshot) {
    const { world, live } = snapshot
    const teamId = receiver.teamId ?? ''
    const own = pairsOf(entry.ids).filter((pair) => pair.teamId === teamId)
    const hidden = own.filter(
      (pair) => !world.solve(pair.challengeId, teamId) && !entry.before.has(pairKey(pair)),
    )
    const isBanned = live.team(teamId)?.banned ?? true
    const added = hidden.flatMap((pair) => {
      const challenge = world.challenge(pair.challengeId)
      const solve = live.solve(pair.challengeId, teamId)
      if (!challenge?.isPublic || isBanned || !solve || entry.ownBefore.has(pairKey(pair))) return []
      // Its place would tell how many others solved the challenge since the freeze.
      return latestSolve(live, { challenge, solve, isUnplaced: true })
    })
    const removed = hidden
      .filter((pair) => entry.ownBefore.has(pairKey(pair)) && !live.solve(pair.challengeId, teamId))
      .map(({ challengeId }) => ({ challengeId, userId: teamId }))
    if (added.length + removed.length === 0) return null
    const shared = solves.data(entry, receiver, snapshot)
    return {
      solves: [...(shared?.solves ?? []), ...added],
      removed: [...(shared?.removed ?? []), ...removed],
    }
  },
}

const challenges: StreamKind<'challenges'> = {
  name: 'challenges',
  entryKind: 'challenges',
  mayReceive: maySeeChallenges,
  data({ ids, before }, _receiver, { world, now }) {
    const shown = [...new Set(ids)].flatMap((id) => world.challenge(id) ?? []).filter((row) => row.isPublic)
    const released = shown.filter(({ id }) => !before.has(id)).map(summaryOf)
    const changed = shown.filter(({ id }) => before.has(id)).map(summaryOf)
    // Only what was public: IDs of hidden challenges must not leak.
    const gone = [...before].filter((id) => world.challenge(id)?.isPublic !== true)
    // Those that are only closed for the receiver may never have been open for it. An empty event makes it read the list.
    const withdrawn = gone.filter((id) => !isReleased(world.challenge(id), now))
    const isEmpty = released.length + changed.length + gone.length === 0
    return isEmpty ? null : { released, changed, withdrawn }
  },
}

function isReleased(challenge: Challenge | undefined, now: number): boolean {
  return challenge !== undefined && !challenge.hidden && (challenge.releaseAt ?? 0) <= now
}

const phase: StreamKind<'phase'> = {
  name: 'phase',
  entryKind: 'settings',
  mayReceive: () => true,
  data: (_entry, _receiver, snapshot) => phaseAt(snapshot),
}

const team: StreamKind<'team'> = {
  name: 'team',
  entryKind: 'teams',
  mayReceive: () => true,
  teams: ({ ids }) => [...new Set(ids)],
  data: (_entry, receiver, snapshot) => ownStanding(receiver, snapshot),
}

const instance: StreamKind<'instance'> = {
  name: 'instance',
  entryKind: 'instances',
  mayReceive: () => true,
  teams: teamsOfPairs,
  data: ownChallenges,
}

const adminBot: StreamKind<'adminBot'> = {
  name: 'adminBot',
  entryKind: 'jobs',
  mayReceive: () => true,
  teams: teamsOfPairs,
  data: ownChallenges,
}

/** Tells those who answer that the queue has changed, and nothing about whose question it is. */
const queue: StreamKind<'message'> = {
  name: 'message',
  entryKind: 'messages',
  mayReceive: ({ perms }) => scopeOf(perms) !== null,
  data: () => ({ threadIds: [], queue: true }),
}

const message: StreamKind<'message'> = {
  name: 'message',
  entryKind: 'messages',
  mayReceive: ({ isExternal }) => isExternal !== true,
  teams: teamsOfPairs,
  data: ({ ids }, { teamId }) => ({
    threadIds: pairsOf(ids).flatMap((pair) => (pair.teamId === teamId ? pair.challengeId : [])),
    queue: false,
  }),
}

/** The public challenges that the entry names together with the team, as the routes that return their state. */
function ownChallenges({ ids }: StreamEntry, { teamId }: Receiver, { world }: Snapshot) {
  const challengeIds = pairsOf(ids)
    .filter((pair) => pair.teamId === teamId && world.challenge(pair.challengeId)?.isPublic)
    .map(({ challengeId }) => challengeId)
  return challengeIds.length > 0 ? { challengeIds } : null
}

const CORE_EVENTS: readonly AnyStreamKind[] = [
  solves,
  ownSolves,
  challenges,
  phase,
  team,
  instance,
  adminBot,
  queue,
  message,
]

/** What the parts of the stream loop over. */
export interface StreamKinds {
  readonly events: readonly AnyStreamKind[]
  readonly states: readonly AnyStateEvent[]
  /** Kinds of entries that change standings, besides those that the comparison knows by name. */
  readonly scoring: ReadonlySet<string>
}

export function streamKindsOf(kinds: readonly Kind[]): StreamKinds {
  const scoring = kinds.flatMap(({ rows }) => rows).filter(({ score }) => score)
  return {
    events: [...CORE_EVENTS, ...kinds.flatMap(({ events = [] }) => events)],
    states: kinds.flatMap(({ states = [] }) => states),
    scoring: new Set(['settings', ...scoring.map(({ kind }) => kind)]),
  }
}

export function summaryOf({ id, name, category, points, solveCount }: Challenge) {
  return { id, name, category, points, solves: solveCount }
}

export function phaseAt({ world, now }: Snapshot): StreamEventData<'phase'> {
  const current = now < world.startTime ? 'before' : now < world.endTime ? 'running' : 'ended'
  const { startTime, endTime, frozenAt } = world
  return {
    startTime,
    endTime,
    ...(isScheduled(world) ? {} : { scheduled: false as const }),
    ...(frozenAt === null ? {} : { freezeTime: frozenAt }),
    phase: current,
  }
}

/** Null for a team that does not exist. Like its profile, empty while it is banned. Only ranks are part of the scoreboard. */
export function ownStanding(receiver: Receiver, snapshot: Snapshot): StreamEventData<'team'> | null {
  const teamId = receiver.teamId ?? ''
  const { shown = snapshot.world } = snapshot
  const row = shown.team(teamId)
  if (!row) return null
  if (row.banned) return { score: 0, globalPlace: null, divisionPlace: null, banned: true }
  const { score } = shown.standing(teamId)
  const { world } = snapshotFor(receiver, { ...snapshot, world: shown }).snapshot
  const { globalRank, divisionRank } = world.standing(teamId)
  return { score, globalPlace: globalRank, divisionPlace: divisionRank, banned: false }
}
