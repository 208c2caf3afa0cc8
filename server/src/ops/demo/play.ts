import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Client } from '@pennant/contract/client.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import type { Database } from '../../db/database.ts'
import { skillOf, solveProbability, wrongFlag, type Played } from './history.ts'

/** Submissions of one team per hour, right and wrong, about as many as in its past. */
const SUBMISSIONS_PER_HOUR = 0.75
/** Share of attempts of a team on a challenge that it can solve that are right. */
const RIGHT_SHARE = 0.5
/** Delay after a submission that failed, such as while the server restarts. */
const RETRY_MS = 5_000
/** How many draws may miss before this turn is over: a team that has solved everything does nothing. */
const MAX_DRAWS = 20

export interface PlayOptions {
  readonly call: Client
  readonly db: Database
  readonly challenges: readonly Played[]
  /** Unix milliseconds. */
  readonly startTime: number
  readonly endTime: number
  /** Auth token of a team. */
  readonly tokenOf: (teamId: string) => string
  /** Teams that do not play, because people do. */
  readonly idleIds: readonly string[]
  readonly signal: AbortSignal
  /** 1 is the pace of people. */
  readonly speed: number
  readonly say: (line: string) => void
}

interface Player {
  readonly id: string
  readonly name: string
}

interface Game extends PlayOptions {
  readonly players: readonly Player[]
  /** Team and challenge of each known solve. */
  readonly solved: Set<string>
}

/** Simulated teams submit right and wrong flags at the pace of people until the event ends or the signal aborts. */
export async function play(options: PlayOptions): Promise<void> {
  const { db, signal, startTime, endTime, speed } = options
  const players = await db.query<Player>(sql`
    select id, name from teams where perms = 0 and not banned and id <> all(${options.idleIds}) order by n`)
  const rows = await db.query<{ pair: string }>(
    sql`select team_id || ' ' || challenge_id as pair from solves`,
  )
  const game = { ...options, players, solved: new Set(rows.map(({ pair }) => pair)) }
  if (players.length === 0) return
  const meanMs = HOUR_MS / (SUBMISSIONS_PER_HOUR * players.length * speed)
  await pause(startTime - Date.now(), signal)
  while (!signal.aborted && Date.now() < endTime) {
    await pause(-Math.log(1 - Math.random()) * meanMs, signal)
    if (signal.aborted) return
    await submit(game).catch(() => pause(RETRY_MS, signal))
  }
}

/** One submission of some team. */
async function submit(game: Game): Promise<void> {
  const { call, tokenOf, solved, say } = game
  const turn = draw(game)
  if (!turn) return
  const { player, challenge, isRight } = turn
  const known = challenge.flag ?? 'flag{per_team}'
  const flag = isRight ? known : wrongFlag(known, Math.random)
  const response = await call(submitFlag, {
    token: tokenOf(player.id),
    params: { id: challenge.id },
    body: { flag },
  })
  const isSolved = response.kind === 'goodFlag' || response.kind === 'badAlreadySolvedChallenge'
  if (isSolved) solved.add(pairOf(player, challenge))
  if (response.kind === 'goodFlag') say(`${player.name} solved ${challenge.id}`)
}

/** A team and an open challenge that it has not solved but would try, or null after too many misses. */
function draw({ players, challenges, solved, startTime }: Game) {
  const open = challenges.filter(
    ({ opensAfterHours = 0 }) => Date.now() >= startTime + opensAfterHours * HOUR_MS,
  )
  for (let count = 0; count < MAX_DRAWS; count++) {
    const player = players[Math.floor(Math.random() * players.length)]
    const challenge = open[Math.floor(Math.random() * open.length)]
    if (!player || !challenge || solved.has(pairOf(player, challenge))) continue
    const probability = solveProbability(skillOf(player.name), challenge)
    // No one spends long on what is far too hard.
    if (Math.random() > 0.15 + probability) continue
    return {
      player,
      challenge,
      isRight: challenge.flag !== null && Math.random() < probability * RIGHT_SHARE,
    }
  }
  return null
}

function pairOf({ id }: Player, challenge: Played): string {
  return `${id} ${challenge.id}`
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return
  // Rejects when the signal aborts.
  await sleep(ms, undefined, { signal }).catch(() => {})
}
