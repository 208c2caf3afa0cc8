import sql from 'sql-template-tag'
import type { Client } from '@pennant/contract/client.ts'
import type { Database } from '../../db/database.ts'
import { createTeamByHand } from '../../features/people/accounts/admins.ts'
import { demoChallenges } from './challenges.ts'
import { demoConfig, type Times } from './event.ts'
import { fillDemo, fillLive } from './fill.ts'
import { makeHistory, played, playedLive, type History } from './history.ts'
import { insertHistory, insertPushedScores, type WrittenTeam } from './insert.ts'
import type { LiveChallenge } from './live-challenges.ts'
import { fillOrganised } from './organised.ts'
import { fillTexts } from './texts.ts'

export interface SeedOptions extends Times {
  readonly db: Database
  readonly call: Client
  readonly organiserId: string
  /** Auth token of a team. */
  readonly tokenOf: (teamId: string) => string
  /** Number of teams besides those of organisers. */
  readonly teams: number
  /** Unix milliseconds. */
  readonly now: number
  /** The challenges with running parts that the server can start. */
  readonly live: readonly LiveChallenge[]
}

/** Teams that have a part in the example event. */
export interface Cast {
  /** Among the best. */
  readonly playerId: string
  /** Better than the player's team. */
  readonly rivalId: string
  /** Submitted flags of the rival. */
  readonly bannedId: string
  /** An organiser without the permission to change anything. */
  readonly readerId: string
}

const READER = { name: 'Press office', email: 'press@harbour.example', perms: 0b101 }
/** Shares of the teams ahead of a team. */
const [RIVAL_QUANTILE, PLAYER_QUANTILE, BANNED_QUANTILE] = [0.02, 0.04, 0.3]

/**
 * Writes the example event into the empty database of a running server: challenges, teams, and what happened
 * until `now`. The demo, the screenshots and the browser tests show it.
 */
export async function seedContest(options: SeedOptions): Promise<Cast> {
  const { db, call, tokenOf, organiserId, startTime, endTime, now, live } = options
  const token = tokenOf(organiserId)
  await fillDemo({ call, token, startTime })
  await fillLive({ call, token, challenges: live, existing: new Set() })
  const challenges = [...demoChallenges.map(played), ...live.map(playedLive)]
  const history = makeHistory({ ...options, challenges })
  const written = await insertHistory(db, history, { waitsForRanks: true })
  const cast = { ...castOf(history, written), readerId: await createReader(db) }
  await banForSharing(db, cast)
  if (now > startTime) await insertPushedScores(db, { teams: written, at: Math.min(now, endTime) })
  await fillTexts({ call, organiser: token, player: tokenOf(cast.playerId), startTime })
  await fillOrganised({ call, token, ...cast, startTime, now })
  return cast
}

function castOf({ submissions }: History, written: readonly WrittenTeam[]) {
  const solves = new Map<number, number>()
  for (const { team, result } of submissions)
    if (result === 'correct') solves.set(team, (solves.get(team) ?? 0) + 1)
  const best = [...solves.keys()].toSorted((a, b) => (solves.get(b) ?? 0) - (solves.get(a) ?? 0))
  // Before the start no one has solved anything.
  const order = best.length > 0 ? best : written.map((_, at) => at)
  const at = (quantile: number) => written[order[Math.floor(order.length * quantile)] ?? 0]?.id
  const [rivalId, playerId, bannedId] = [RIVAL_QUANTILE, PLAYER_QUANTILE, BANNED_QUANTILE].map(at)
  if (!rivalId || !playerId || !bannedId) throw new Error('the example event needs a team')
  return { rivalId, playerId, bannedId }
}

async function createReader(db: Database): Promise<string> {
  const made = await createTeamByHand({ db, ...READER, division: demoConfig.defaultDivision })
  if ('collision' in made) throw new Error(`a team with the ${made.collision} of ${READER.name} exists`)
  return made.id
}

async function banForSharing(
  db: Database,
  { bannedId, rivalId, playerId }: Omit<Cast, 'readerId'>,
): Promise<void> {
  // A contest of few teams has none to spare.
  if (bannedId === playerId || bannedId === rivalId) return
  const source = JSON.stringify({ cheatedFrom: rivalId })
  await db.change(async (tx) => {
    await tx.query(sql`update teams set banned = true where id = ${bannedId}`)
    await tx.query(sql`
      update submissions set details = details || ${source}::jsonb
      where team_id = ${bannedId} and result = 'correct'`)
    tx.changed('teams', [bannedId])
  })
}
