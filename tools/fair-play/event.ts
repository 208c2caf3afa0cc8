import { HOUR_MS, MINUTE_MS } from '../../contract/src/durations.ts'
import type { ChallengeFact, Facts } from '../../server/src/features/organisers/fair-play/signals/facts.ts'
import { demoChallenges } from '../../server/src/ops/demo/challenges.ts'
import { makeHistory, played, playedLive, type Played } from '../../server/src/ops/demo/history.ts'
import { liveChallenges } from '../../server/src/ops/demo/live-challenges.ts'
import { seeded } from '../../server/src/ops/demo/random.ts'
import { plantCoincidences } from './coincidences.ts'
import { replace, type Draft } from './draft.ts'
import { plantSharing } from './sharing.ts'

// A simulated event whose truth is known: teams that play honestly, pairs that share flags, and coincidences.

/** Pairs of teams, and groups of teams in one room. */
export const planted = { teams: 1000, pairs: 20, rooms: 5, teamsPerRoom: 8, coincidences: 50 }

/** Of the event whose figures are in the documentation. */
export const SEED = 'fair play'

const START = Date.parse('2026-05-01T12:00:00Z')
const LENGTH_MS = 48 * HOUR_MS
/** Beyond the few of the demo, so that the event has as many challenges as a usual one. */
const COPIES = 2

export interface SimulatedEvent {
  readonly facts: Facts
  /** Pairs of ids. */
  readonly sharing: readonly (readonly [source: string, receiver: string])[]
}

export function simulateEvent(seed: string): SimulatedEvent {
  const challenges = eventChallenges()
  const times = { startTime: START, endTime: START + LENGTH_MS, now: START + LENGTH_MS }
  const history = makeHistory({ teams: planted.teams, challenges, ...times })
  const createdAt = history.teams.map((team) => team.createdAt)
  const attempts = history.submissions.map(({ team, challenge, at, flag, result }, index) => ({
    id: `s${index}`,
    teamId: idOf(team),
    challengeId: challenge.id,
    at,
    ip: history.teams[team]?.ip ?? '',
    text: flag,
    result,
    ownerId: null,
    apiTokenId: null,
  }))
  const draft: Draft = {
    random: seeded(seed),
    ...times,
    teamIds: history.teams.map((_, team) => idOf(team)),
    challenges: challenges.map((challenge) => factOf(challenge)),
    attempts,
    received: [],
    started: [],
  }
  fillRooms(draft)
  readHonestly(draft)
  const minted = mintedFlags(draft)
  const sharing = plantSharing(draft, planted.pairs)
  plantCoincidences(draft, planted.coincidences)
  return {
    sharing,
    facts: {
      ...times,
      teams: draft.teamIds.map((id, team) => ({ id, createdAt: createdAt[team] ?? START })),
      challenges: draft.challenges,
      attempts: draft.attempts.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)),
      minted,
      decoys: [],
      received: draft.received,
      receivedSince: START,
      started: draft.started,
      startsLost: [],
    },
  }
}

function idOf(team: number): string {
  return `t${team}`
}

function eventChallenges(): Played[] {
  const shared = demoChallenges.map(played)
  const live = liveChallenges.map(playedLive)
  return Array.from({ length: COPIES }, (_, copy) =>
    [...shared, ...live].map((challenge) => (copy === 0 ? challenge : copyOf(challenge, copy))),
  ).flat()
}

/** The same difficulty with another flag, six hours later. */
function copyOf(challenge: Played, copy: number): Played {
  const change = (text: string) => text.replaceAll('_', `_${copy}`)
  const { flag, entry } = challenge
  return {
    ...challenge,
    id: `${challenge.id}-${copy + 1}`,
    opensAfterHours: (challenge.opensAfterHours ?? 0) + 6 * copy,
    flag: flag && change(flag),
    entry: flag
      ? entry
      : { ...entry, config: { ...entry.config, base: change(String(entry.config['base'])) } },
  }
}

function factOf({ id, flag, entry, opensAfterHours = 0 }: Played): ChallengeFact {
  return {
    id,
    openedAt: START + opensAfterHours * HOUR_MS,
    hasInstances: flag === null,
    flags: [flag ?? String(entry.config['base'])],
  }
}

/** Teams in one room share an address and begin together. */
function fillRooms({ random, attempts, teamIds, endTime }: Draft): void {
  for (let room = 0; room < planted.rooms; room += 1) {
    const beginsAt = START + random() * 4 * HOUR_MS
    for (let seat = 0; seat < planted.teamsPerRoom; seat += 1) {
      const teamId = teamIds[200 + room * 100 + seat * 7] ?? ''
      const own = attempts.filter((attempt) => attempt.teamId === teamId)
      const shift = Math.max(0, beginsAt + random() * 30 * MINUTE_MS - (own[0]?.at ?? beginsAt))
      for (const attempt of own)
        replace(attempts, attempt, {
          ...attempt,
          at: Math.min(endTime - 1, Math.floor(attempt.at + shift)),
          ip: `203.0.113.${room + 1}`,
        })
    }
  }
}

/** Everyone loads the challenges before the first try, and starts an instance where there is one. */
function readHonestly({ random, attempts, challenges, received, started }: Draft): void {
  const live = new Set(challenges.flatMap(({ id, hasInstances }) => (hasInstances ? [id] : [])))
  const known = new Set<string>()
  for (const { teamId, challengeId, at } of attempts.toSorted((a, b) => a.at - b.at)) {
    const key = `${teamId} ${challengeId}`
    if (known.has(key)) continue
    known.add(key)
    const seenAt = at - (1 + random() * 60) * MINUTE_MS
    received.push({ teamId, challengeId, at: seenAt })
    if (live.has(challengeId)) started.push({ teamId, challengeId, at: seenAt + 30_000 })
  }
}

/** Of every team that solved an instance by itself. */
function mintedFlags({ attempts, challenges }: Draft): Facts['minted'] {
  const live = new Set(challenges.flatMap(({ id, hasInstances }) => (hasInstances ? [id] : [])))
  return attempts.flatMap(({ challengeId, teamId, text, result }) =>
    result === 'correct' && live.has(challengeId) ? [{ challengeId, teamId, flag: text }] : [],
  )
}
