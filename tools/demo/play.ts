import { registerV2 } from '@pennant/contract/accounts.ts'
import type { Client } from '@pennant/contract/client.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { updateProfileV2 } from '@pennant/contract/teams.ts'
import { demoChallenges, type DemoChallenge } from './challenges.ts'
import { countries, statuses, teamNames } from './teams.ts'

interface Player {
  readonly name: string
  readonly token: string
  /** 1 is a strong team, 10 a very fresh one. */
  readonly skill: number
  readonly open: Set<string>
}

export interface PlayOptions {
  readonly call: Client
  readonly teams: number
  /** How many times faster than a real contest; 1 takes hours. */
  readonly speed: number
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

/** Registers the teams and plays until every team is out of challenges or the signal comes. */
export async function play(options: PlayOptions): Promise<void> {
  const { say, teams } = options
  const players: Player[] = []
  for (const [at, name] of teamNames.slice(0, teams).entries()) {
    const player = await join(options.call, name, at)
    if (player) players.push(player)
  }
  say(`${players.length} teams play; stop with Ctrl-C`)
  await Promise.all(players.map((player) => playOne(player, options)))
}

/** Null when the team is there from an earlier run: its token was not kept. */
async function join(call: Client, name: string, at: number): Promise<Player | null> {
  const host = at % 3 === 0 ? 'uni.example' : 'mail.example'
  const email = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}@${host}`
  const made = await call(registerV2, { body: { name, email } })
  if (made.kind !== 'goodRegisterV2') return null
  const token = made.data.authToken
  const countryCode = countries[at % countries.length] ?? null
  const statusText = statuses[at % statuses.length] ?? null
  const division = host === 'uni.example' ? 'students' : 'open'
  await call(updateProfileV2, { token, body: { division, countryCode, statusText } })
  return { name, token, skill: 1 + ((at * 7) % 10), open: new Set(demoChallenges.map(({ id }) => id)) }
}

const MINUTE = 60_000

async function playOne(player: Player, options: PlayOptions): Promise<void> {
  const { signal, speed } = options
  // Ends when the team has solved what it can, or gives up what is far beyond it.
  while (player.open.size > 0 && !signal.aborted) {
    const challenge = pick(player)
    await pause((exponential() * (4 + challenge.difficulty * player.skill) * MINUTE) / speed, signal)
    if (signal.aborted) return
    await attempt(player, challenge, options)
  }
}

/** Teams begin with what looks easy, but not all with the same. */
function pick({ open }: Player): DemoChallenge {
  const left = demoChallenges.filter(({ id }) => open.has(id))
  const eager = left.toSorted((a, b) => a.difficulty - b.difficulty + (Math.random() - 0.5) * 4)
  const [first] = eager
  if (!first) throw new Error('nothing left to pick')
  return first
}

async function attempt(player: Player, challenge: DemoChallenge, { call, say }: PlayOptions): Promise<void> {
  const isRight = Math.random() > challenge.difficulty / 14
  const flag = isRight ? challenge.flag : `flag{maybe_${Math.random().toString(36).slice(2, 8)}}`
  const answer = await call(submitFlag, { token: player.token, params: { id: challenge.id }, body: { flag } })
  if (answer.kind === 'goodFlag') say(`${player.name} solved ${challenge.name}`)
  if (answer.kind === 'goodFlag' || answer.kind === 'badAlreadySolvedChallenge')
    player.open.delete(challenge.id)
  // Some give up after a wrong flag on what is hard for them.
  if (answer.kind === 'badFlag' && Math.random() < (challenge.difficulty * player.skill) / 400) {
    player.open.delete(challenge.id)
  }
}

function exponential(): number {
  return -Math.log(1 - Math.random())
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
