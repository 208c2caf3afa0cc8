import { registerV2 } from '@pennant/contract/accounts.ts'
import type { Client } from '@pennant/contract/client.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { updateProfileV2 } from '@pennant/contract/teams.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { demoChallenges, type DemoChallenge } from './challenges.ts'
import { countries, statuses, teamNames } from './teams.ts'

interface Player {
  readonly name: string
  readonly token: string
  /** From 1, a strong team, to 10, a beginner team. */
  readonly skill: number
  readonly open: Set<string>
}

export interface PlayOptions {
  readonly call: Client
  readonly teams: number
  /** Speed relative to a real contest; with 1 the demo takes hours. */
  readonly speed: number
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

/** Registers the teams and plays until no team has challenges left or the signal aborts. */
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

/** Null if the team exists from an earlier run, because its token was not saved. */
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

async function playOne(player: Player, options: PlayOptions): Promise<void> {
  const { signal, speed } = options
  // Ends when the team has solved its challenges or given up those that are too hard.
  while (player.open.size > 0 && !signal.aborted) {
    const challenge = pick(player)
    await pause((exponential() * (4 + challenge.difficulty * player.skill) * MINUTE_MS) / speed, signal)
    if (signal.aborted) return
    await attempt(player, challenge, options)
  }
}

/** Teams start with easy challenges, but not all with the same one. */
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
  const response = await call(submitFlag, {
    token: player.token,
    params: { id: challenge.id },
    body: { flag },
  })
  if (response.kind === 'goodFlag') say(`${player.name} solved ${challenge.name}`)
  if (response.kind === 'goodFlag' || response.kind === 'badAlreadySolvedChallenge')
    player.open.delete(challenge.id)
  // After a wrong flag, weak teams may give up a hard challenge.
  if (response.kind === 'badFlag' && Math.random() < (challenge.difficulty * player.skill) / 400) {
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
