import { hasPermissions } from '@pennant/contract/permissions.ts'
import type { StreamEventData, StreamEventName } from '@pennant/contract/stream.ts'
import type { Challenge, WorldView } from '../../../world/model.ts'
import { isScheduled } from '../../../lib/event-times.ts'
import { gatedChallenges, isOpenFor, visibleTo } from '../../contest/challenges/visible.ts'
import { latestSolve, type FoundSolve } from '../../board/leaderboard/latest-solve.ts'
import { scopeOf } from '../../news/messages/rules.ts'
import { hintCounts } from './hint-frames.ts'
import {
  challengesOfHints,
  challengesWithReleased,
  pairKey,
  pairsOf,
  type WindowEntry,
} from './log-window.ts'
import { hintRows } from '../../contest/hints/rows.ts'

/** The moment at which events are rendered. */
export interface Moment {
  /** As participants see it. */
  readonly world: WorldView
  /** Everything, for the receiver's own solves. */
  readonly live: WorldView
  /** Unix milliseconds. */
  readonly now: number
}

/** What decides who sees which event. Permissions as of the moment; 0 without a team. */
export interface Receiver {
  readonly teamId: string | null
  readonly perms: number
  /** With a token that another site obtained. */
  readonly isExternal?: boolean
}

/**
 * A kind of event that follows from an entry of the change log. An entry leads to at most one event for each receiver, so
 * that its id is the entry's position. To add a kind: its schema in contract/src/stream.ts, and one of these.
 */
interface LogKind<N extends StreamEventName> {
  readonly name: N
  readonly entryKind: string
  /** Whether the receiver may see events of this kind now: the gate of the reads that return the same. */
  mayReceive(receiver: Receiver, moment: Moment): boolean
  /** The same for all receivers, or null if there is nothing to say. Leaves out what reads leave out. */
  data(entry: WindowEntry, moment: Moment): StreamEventData<N> | null
}

/** As `LogKind`, for events of one team. */
interface TeamKind<N extends StreamEventName> {
  readonly name: N
  readonly entryKind: string
  /** Not for tokens of other sites, as the routes that return the same. */
  readonly ownTokenOnly?: true
  /** The teams that receive the event. */
  teams(entry: WindowEntry): readonly string[]
  data(entry: WindowEntry, teamId: string, moment: Moment): StreamEventData<N> | null
}

/** The moment as the receiver may see it, and a key that receivers who see the same share. */
export function momentFor(
  { teamId, perms }: Receiver,
  { world, live, now }: Moment,
): { readonly moment: Moment; readonly key: string } {
  const visible = visibleTo(world, teamId === null ? null : { id: teamId, perms })
  return { moment: { world: visible.world, live, now }, key: visible.key }
}

/** The gate of the challenge list and of solves: docs/reference/event-phases.md */
export function maySeeChallenges({ perms }: Receiver, { world, now }: Moment): boolean {
  return now >= world.startTime || hasPermissions(perms, ['challsRead'])
}

/** The challenges that new solves of the receiver's team in this entry have opened for it. */
export function openedBy(entry: WindowEntry, { teamId }: Receiver, { world }: Moment): Challenge[] {
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
export function openingTeams(entries: readonly WindowEntry[], { world }: Moment): string[] {
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
export function maySeeBoard({ perms }: Receiver, { world, now }: Moment): boolean {
  return now >= world.startTime || hasPermissions(perms, ['leaderboardRead'])
}

const solves: LogKind<'solves'> = {
  name: 'solves',
  entryKind: 'solves',
  mayReceive: maySeeChallenges,
  data(entry, { world }) {
    const added: FoundSolve[] = []
    const removed: { challengeId: string; userId: string }[] = []
    for (const pair of pairsOf(entry.ids)) {
      const challenge = world.challenge(pair.challengeId)
      const team = world.team(pair.teamId)
      if (!challenge?.isPublic || !team || team.banned) continue
      const wasSolved = entry.before.has(pairKey(pair))
      const solve = world.solve(pair.challengeId, pair.teamId)
      if (!solve && entry.shownBefore.has(pairKey(pair)))
        removed.push({ challengeId: pair.challengeId, userId: pair.teamId })
      const position = solve && !wasSolved && world.solvesOfChallenge(challenge.id).positionOf(team.id)
      if (solve && position) added.push({ challenge, solve, position: position - 1 })
    }
    if (added.length === 0 && removed.length === 0) return null
    return { solves: added.map((found) => latestSolve(world, found)), removed }
  },
}

/** The receiver's own solves that frozen standings do not show, together with what all receive of the entry. */
const ownSolves: TeamKind<'solves'> = {
  name: 'solves',
  entryKind: 'solves',
  teams: (entry) => (entry.ownBefore === entry.before ? [] : teamsOfPairs(entry)),
  data(entry, teamId, moment) {
    const { world, live } = moment
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
      return latestSolve(live, { challenge, solve, position: Infinity })
    })
    const removed = hidden
      .filter((pair) => entry.ownBefore.has(pairKey(pair)) && !live.solve(pair.challengeId, teamId))
      .map(({ challengeId }) => ({ challengeId, userId: teamId }))
    if (added.length + removed.length === 0) return null
    const shared = solves.data(entry, moment)
    return {
      solves: [...(shared?.solves ?? []), ...added],
      removed: [...(shared?.removed ?? []), ...removed],
    }
  },
}

const challenges: LogKind<'challenges'> = {
  name: 'challenges',
  entryKind: 'challenges',
  mayReceive: maySeeChallenges,
  data({ ids, before }, { world, now }) {
    const shown = [...new Set(ids)].flatMap((id) => world.challenge(id) ?? []).filter((row) => row.isPublic)
    const released = shown.filter(({ id }) => !before.has(id)).map(summaryOf)
    const changed = shown.filter(({ id }) => before.has(id)).map(summaryOf)
    // Only what was public: ids of challenges that were hidden all along are nobody's business.
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

const phase: LogKind<'phase'> = {
  name: 'phase',
  entryKind: 'settings',
  mayReceive: () => true,
  data: (_entry, moment) => phaseAt(moment),
}

const hints: LogKind<'hint'> = {
  name: 'hint',
  entryKind: 'hints',
  mayReceive: maySeeChallenges,
  // Hints that wait for their release are nobody's business.
  data: ({ ids, before }, { world, now }) =>
    hintCounts([...before, ...challengesWithReleased(ids, world, now)], world),
}

const purchase: TeamKind<'hint'> = {
  name: 'hint',
  entryKind: 'purchases',
  teams: teamsOfPairs,
  data({ ids, before }, teamId, { world }) {
    const own = pairsOf(ids).filter((pair) => pair.teamId === teamId)
    const known = challengesOfHints(before)
    return hintCounts(
      own.flatMap(
        ({ challengeId: id }) => world.rows(hintRows).byId.get(id)?.challengeId ?? known.get(id) ?? [],
      ),
      world,
    )
  },
}

const team: TeamKind<'team'> = {
  name: 'team',
  entryKind: 'teams',
  teams: ({ ids }) => [...new Set(ids)],
  data: (_entry, teamId, moment) => ownStanding(teamId, moment),
}

const instance: TeamKind<'instance'> = {
  name: 'instance',
  entryKind: 'instances',
  teams: teamsOfPairs,
  data: ownChallenges,
}

const adminBot: TeamKind<'adminBot'> = {
  name: 'adminBot',
  entryKind: 'jobs',
  teams: teamsOfPairs,
  data: ownChallenges,
}

/** Tells those who answer that the queue has changed, and nothing about whose question it is. */
const queue: LogKind<'message'> = {
  name: 'message',
  entryKind: 'messages',
  mayReceive: ({ perms }) => scopeOf(perms) !== null,
  data: () => ({ threadIds: [], queue: true }),
}

const message: TeamKind<'message'> = {
  name: 'message',
  entryKind: 'messages',
  ownTokenOnly: true,
  teams: teamsOfPairs,
  data: ({ ids }, teamId) => ({
    threadIds: pairsOf(ids).flatMap((pair) => (pair.teamId === teamId ? pair.challengeId : [])),
    queue: false,
  }),
}

function teamsOfPairs({ ids }: WindowEntry): string[] {
  return pairsOf(ids).map(({ teamId }) => teamId)
}

/** The public challenges that the entry names together with the team, as the routes that return their state. */
function ownChallenges({ ids }: WindowEntry, teamId: string, { world }: Moment) {
  const challengeIds = pairsOf(ids)
    .filter((pair) => pair.teamId === teamId && world.challenge(pair.challengeId)?.isPublic)
    .map(({ challengeId }) => challengeId)
  return challengeIds.length > 0 ? { challengeIds } : null
}

export const logKinds = [solves, challenges, phase, hints, queue] as const
export const teamKinds = [ownSolves, team, instance, adminBot, message, purchase] as const

export function summaryOf({ id, name, category, points, solveCount }: Challenge) {
  return { id, name, category, points, solves: solveCount }
}

export function phaseAt({ world, now }: Moment): StreamEventData<'phase'> {
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

/** Null for a team that does not exist. Like its profile, empty while it is banned. */
export function ownStanding(teamId: string, { world }: Moment): StreamEventData<'team'> | null {
  const row = world.team(teamId)
  if (!row) return null
  if (row.banned) return { score: 0, globalPlace: null, divisionPlace: null, banned: true }
  const { score, globalRank, divisionRank } = world.standing(teamId)
  return { score, globalPlace: globalRank, divisionPlace: divisionRank, banned: false }
}
