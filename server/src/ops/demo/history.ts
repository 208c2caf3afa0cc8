import { createHash } from 'node:crypto'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import type { DemoChallenge } from './content/challenge.ts'
import type { LiveChallenge } from './live-challenges.ts'
import { chance, normal, seeded, type Random } from './random.ts'
import { countries, statuses, teamNames } from './teams.ts'

// The past of the example event: who registered when, who solved what, and what they tried before. The same options
// always produce the same history.

export interface DemoTeam {
  readonly name: string
  readonly email: string
  readonly division: string
  readonly countryCode: string | null
  readonly statusText: string | null
  readonly createdAt: number
  readonly ip: string
  readonly members: readonly string[]
}

/** One row of the submission audit. `team` is an index. */
export interface DemoSubmission {
  readonly team: number
  readonly challenge: Played
  readonly at: number
  readonly flag: string
  readonly result: 'correct' | 'incorrect' | 'already_solved'
}

export interface HistoryOptions {
  readonly teams: number
  readonly challenges: readonly Played[]
  /** Unix milliseconds. */
  readonly startTime: number
  readonly endTime: number
  readonly now: number
}

/** The parts of a challenge that matter to the simulated teams. */
export interface Played extends Pick<DemoChallenge, 'id' | 'difficulty' | 'opensAfterHours'> {
  /** Null if the server derives a flag for each team, which no one here can know. */
  readonly flag: string | null
  readonly entry: FlagEntry
}

interface FlagEntry {
  readonly provider: string
  readonly config: Readonly<Record<string, unknown>>
}

export function played(challenge: DemoChallenge): Played {
  return { ...challenge, entry: { provider: 'flags/static', config: { flag: challenge.flag } } }
}

export function playedLive({ flagBase, ...challenge }: LiveChallenge): Played {
  const entry = { provider: 'flags/dynamic', config: { base: flagBase, mode: 'tail' } }
  return { ...challenge, flag: null, entry }
}

/** For a flag that the server derives, a text that looks like it. */
function flagOf({ flag, entry }: Played, teamName: string): string {
  if (flag !== null) return flag
  const suffix = createHash('sha256').update(teamName).digest('hex').slice(0, 10)
  return `${String(entry.config['base']).slice(0, -1)}_${suffix}}`
}

export interface History {
  readonly teams: readonly DemoTeam[]
  /** By time. */
  readonly submissions: readonly DemoSubmission[]
}

/** Registration opened this long before the event. */
const REGISTRATION_MS = 21 * 24 * HOUR_MS
/** Share of teams that register and never submit anything. */
const NO_SHOW_SHARE = 0.14
/** How much a difference between skill and difficulty matters. */
const STEEPNESS = 1.7
const MAX_WRONG_TRIES = 9
/** At most this many of a team work at the same time, each on a challenge. */
const MAX_PLAYING = 3
/** A challenge that resists is put aside after this time. */
const PATIENCE_MS = 3 * HOUR_MS
/** Longest break between two challenges. */
const BREAK_MS = 7 * HOUR_MS

export function makeHistory(options: HistoryOptions): History {
  const teams = teamNames(options.teams).map((name, at) => makeTeam(name, at, options))
  const submissions = teams.flatMap((team, at) => play(team, at, options))
  return { teams, submissions: submissions.toSorted((a, b) => a.at - b.at) }
}

/** Skill on the scale of `hardness`: 0 is an average team, 2.5 one of the best among hundreds. */
export function skillOf(teamName: string): number {
  return normal(seeded(`skill ${teamName}`))
}

export function hardness({ difficulty }: Pick<DemoChallenge, 'difficulty'>): number {
  return difficulty * 0.62 - 2.2
}

/** Probability that the team solves the challenge at all. */
export function solveProbability(skill: number, challenge: Pick<DemoChallenge, 'difficulty'>): number {
  return 1 / (1 + Math.exp(STEEPNESS * (hardness(challenge) - skill)))
}

function makeTeam(name: string, at: number, { startTime, now }: HistoryOptions): DemoTeam {
  const random = seeded(`team ${name}`)
  const handle = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${at + 1}`
  const isStudent = chance(random, 0.35)
  // Most teams register in the last days, some after the start.
  const before = startTime - REGISTRATION_MS * random() ** 3 + (chance(random, 0.12) ? 5 * HOUR_MS : 0)
  const members = Math.floor(random() * 4)
  return {
    name,
    email: `${handle}@${isStudent ? 'uni.example' : 'mail.example'}`,
    division: isStudent ? 'students' : 'open',
    countryCode: chance(random, 0.85)
      ? (countries[Math.floor(random() ** 1.6 * countries.length)] ?? null)
      : null,
    statusText: chance(random, 0.25) ? (statuses[Math.floor(random() * statuses.length)] ?? null) : null,
    createdAt: Math.floor(Math.min(before, now - HOUR_MS)),
    // Addresses for benchmarks (RFC 2544), which belong to no one.
    ip: `198.${18 + (at % 2)}.${Math.floor(at / 250) % 256}.${(at % 250) + 1}`,
    members: Array.from({ length: members }, (_, member) => `${handle}.${member + 1}@mail.example`),
  }
}

function play(team: DemoTeam, at: number, options: HistoryOptions): DemoSubmission[] {
  const random = seeded(`play ${team.name}`)
  if (options.now <= options.startTime || chance(random, NO_SHOW_SHARE)) return []
  const skill = skillOf(team.name)
  const first = Math.max(options.startTime, team.createdAt)
  // Half of the teams are there at the start, the others find time later.
  const joinedAt = first + (chance(random, 0.5) ? random() * HOUR_MS : random() ** 2 * 20 * HOUR_MS)
  // Teams live in different time zones, most of them in or near Europe.
  const zoneHours = Math.round(2 + 4 * normal(random))
  const sleeper = { random, zoneHours }
  // When each of those who play is free for the next challenge.
  const free = Array.from({ length: 1 + Math.floor(random() * MAX_PLAYING) }, () => joinedAt)
  const rows: DemoSubmission[] = []
  for (const { challenge, releasedAt } of inOrder(options, random)) {
    const who = free.indexOf(Math.min(...free))
    const openAt = Math.max(free[who] ?? joinedAt, releasedAt)
    const gap = hardness(challenge) - skill
    const isSolved = chance(random, solveProbability(skill, challenge))
    // From minutes for what is easy to most of a day for what is hard.
    const effort = 14 * MINUTE_MS * Math.exp(0.35 * (challenge.difficulty + gap) + 0.8 * normal(random))
    const solvedAt = awake(openAt + 2 * MINUTE_MS + effort, sleeper)
    // What does not work out is put aside, and everyone takes breaks.
    const doneAt = isSolved ? solvedAt : openAt + Math.min(effort, PATIENCE_MS)
    free[who] = awake(doneAt + random() * BREAK_MS * (0.3 + 0.7 * skillWeight(skill)), sleeper)
    const until = Math.min(options.now, options.endTime)
    const tried = { team: at, challenge, flag: flagOf(challenge, team.name), openAt, solvedAt, until }
    rows.push(...attempts({ ...tried, isSolved: isSolved && solvedAt < until }, random))
  }
  return rows
}

interface Released {
  readonly challenge: Played
  readonly releasedAt: number
}

/** The order in which a team opens the challenges: wave by wave, roughly from easy to hard. */
function inOrder({ challenges, startTime }: HistoryOptions, random: Random): Released[] {
  const waves = challenges.map((challenge) => {
    const hours = challenge.opensAfterHours ?? 0
    return {
      challenge,
      releasedAt: startTime + hours * HOUR_MS,
      key: hours + challenge.difficulty + 3 * random(),
    }
  })
  return waves.toSorted((left, right) => left.key - right.key)
}

/** Weaker teams take more breaks between challenges. */
function skillWeight(skill: number): number {
  return 1 / (1 + Math.exp(skill))
}

interface Sleeper {
  readonly random: Random
  readonly zoneHours: number
}

/** Moves most of what would happen between one and seven in the morning, local time, to the day. */
function awake(at: number, { random, zoneHours }: Sleeper): number {
  const hour = (at / HOUR_MS + zoneHours + 24) % 24
  return hour >= 1 && hour < 7 && chance(random, 0.8) ? at + (7 - hour + 3 * random()) * HOUR_MS : at
}

interface Tried {
  readonly team: number
  readonly challenge: Played
  readonly flag: string
  readonly openAt: number
  readonly solvedAt: number
  readonly isSolved: boolean
  readonly until: number
}

function attempts(tried: Tried, random: Random): DemoSubmission[] {
  const { team, challenge, flag, openAt, solvedAt, isSolved, until } = tried
  const rows: DemoSubmission[] = []
  const last = isSolved ? solvedAt : Math.min(solvedAt, until)
  const isTouched = isSolved || (last > openAt && chance(random, 0.3))
  const wrong = isTouched ? Math.floor(-Math.log(1 - random()) * (0.3 + challenge.difficulty * 0.22)) : 0
  for (let count = Math.min(wrong, MAX_WRONG_TRIES); count > 0; count--) {
    const at = Math.floor(last - random() * Math.min(2 * HOUR_MS, Math.max(0, last - openAt)))
    if (at >= last) continue
    rows.push({ team, challenge, at, flag: wrongFlag(flag, random), result: 'incorrect' })
  }
  if (!isSolved) return rows
  rows.push({ team, challenge, at: Math.floor(solvedAt), flag, result: 'correct' })
  // A team mate who did not look.
  const again = Math.floor(solvedAt + random() * 20 * MINUTE_MS) + 1
  if (chance(random, 0.03) && again < until) {
    rows.push({ team, challenge, at: again, flag, result: 'already_solved' })
  }
  return rows
}

/** What people type before they have it. */
export function wrongFlag(flag: string, random: Random): string {
  const inner = flag.slice(5, -1)
  const words = inner.split('_')
  const guesses = [
    inner,
    flag.toUpperCase(),
    `FLAG{${inner}}`,
    flag.slice(0, -1),
    `flag{${words.slice(0, -1).join('_')}}`,
    `flag{${words.toReversed().join('_')}}`,
    `flag{${words.join('-')}}`,
    'flag{...}',
    'flag{test}',
    `flag{${Math.floor(random() * 2 ** 32).toString(16)}}`,
  ]
  const guess = guesses[Math.floor(random() * guesses.length)] ?? inner
  return guess === flag ? `${flag} ` : guess
}
