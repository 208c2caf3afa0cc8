import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../contract/src/durations.ts'
import type { SeenFact } from '../../server/src/features/organisers/fair-play/signals/facts.ts'
import { pick, replace, solvesOf, type Draft } from './draft.ts'

/**
 * Makes innocent pairs look alike, each in one way: the same wrong text (a decoy of the author, or the output of the same wrong
 * tool), a solve seconds after another one, the same flat, an instance that an organiser started for a team, and a
 * solve right after the release by a team that knew the trick.
 */
export function plantCoincidences(draft: Draft, count: number): void {
  for (let index = 0; index < count; index += 1) coincidences[index % coincidences.length]?.(draft, index)
}

type Coincidence = (draft: Draft, index: number) => void

const sameWrongText: Coincidence = (draft, index) => {
  const { random, attempts } = draft
  const [one, other] = twoSolvers(draft)
  const text = `flag{n0t_the_real_one_${index}}`
  const row = { text, result: 'incorrect' as const }
  attempts.push({ ...one, ...row, id: `c${index}-1`, at: one.at - MINUTE_MS })
  const distance = random() * 6 * HOUR_MS
  attempts.push({ ...other, ...row, id: `c${index}-2`, at: Math.floor(one.at + distance) })
}

const sameMinute: Coincidence = (draft) => {
  const { random, attempts } = draft
  const [one, other] = twoSolvers(draft)
  const at = Math.floor(one.at + (5 + random() * 85) * SECOND_MS)
  replace(attempts, other, { ...other, at })
  read(draft, { ...other, at: Math.min(at, one.at) - MINUTE_MS })
}

const sameFlat: Coincidence = (draft) => {
  const { attempts } = draft
  const [one, other] = twoSolvers(draft)
  for (const attempt of attempts.filter(({ teamId }) => teamId === other.teamId))
    replace(attempts, attempt, { ...attempt, ip: one.ip })
}

const startedByOrganiser: Coincidence = ({ random, started }) => {
  const at = Math.floor(random() * started.length)
  started.splice(at, 1)
}

const knewTheTrick: Coincidence = (draft) => {
  const { random, attempts, challenges } = draft
  const challenge = pick(random, challenges)
  const solves = attempts.filter(
    ({ challengeId, result }) => challengeId === challenge?.id && result === 'correct',
  )
  const solve = pick(random, solves)
  if (!solve || challenge?.openedAt == null) return
  const at = Math.floor(challenge.openedAt + (20 + random() * 100) * SECOND_MS)
  replace(attempts, solve, { ...solve, at })
  read(draft, { ...solve, at: challenge.openedAt + SECOND_MS })
}

/** Loaded the challenge, and started its instance, if it has one. */
function read({ received, started }: Draft, { teamId, challengeId, at }: SeenFact): void {
  received.push({ teamId, challengeId, at })
  started.push({ teamId, challengeId, at })
}

const coincidences = [sameWrongText, sameMinute, sameFlat, startedByOrganiser, knewTheTrick]

/** Teams without solves are drawn again; most teams have some. */
const MAX_DRAWS = 100

/** Solves of one challenge by two teams. */
function twoSolvers(draft: Draft) {
  const { random, attempts, teamIds } = draft
  for (let draws = 0; draws < MAX_DRAWS; draws += 1) {
    const one = pick(random, solvesOf(draft, pick(random, teamIds) ?? ''))
    if (!one) continue
    const others = attempts.filter(
      ({ challengeId, teamId, result }) =>
        result === 'correct' && challengeId === one.challengeId && teamId !== one.teamId,
    )
    const other = pick(random, others)
    if (other) return [one, other] as const
  }
  throw new Error('The event has too few solves.')
}
