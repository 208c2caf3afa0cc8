import { MINUTE_MS } from '../../contract/src/durations.ts'
import { chance } from '../../server/src/ops/demo/random.ts'
import { pick, replace, solvesOf, type Draft } from './draft.ts'

/** What a pair shares at least and at most, in flags. */
const FLAGS = { min: 2, max: 9 }
/** Most flags pass within minutes, some are kept for hours. */
const SOON_SHARE = 0.8
/** Pairs that also pass a wrong guess. */
const WRONG_SHARE = 0.4
/** Receivers that send flags by a program and never load the challenges. */
const PROGRAM_SHARE = 0.15
/** Receivers that start an instance for the look of it. */
const CAREFUL_SHARE = 0.3

/** Makes pairs of which one team sends flags of the other one. */
export function plantSharing(draft: Draft, count: number): (readonly [string, string])[] {
  const { random, teamIds } = draft
  const sources = teamIds.filter((id) => solvesOf(draft, id).length >= 8)
  const receivers = teamIds.filter((id) => {
    const solves = solvesOf(draft, id).length
    return solves >= 1 && solves <= 5
  })
  const pairs: (readonly [string, string])[] = []
  while (pairs.length < count) {
    const [source, receiver] = [pick(random, sources), pick(random, receivers)]
    if (source === undefined || receiver === undefined) throw new Error('The event has too few teams.')
    if (pairs.some((pair) => pair.includes(source) || pair.includes(receiver))) continue
    share(draft, source, receiver)
    pairs.push([source, receiver])
  }
  return pairs
}

function share(draft: Draft, source: string, receiver: string): void {
  const { random, attempts, endTime, received, started, challenges } = draft
  const own = new Set(solvesOf(draft, receiver).map(({ challengeId }) => challengeId))
  const ip = attempts.find(({ teamId }) => teamId === receiver)?.ip ?? ''
  const given = solvesOf(draft, source)
    .filter(({ challengeId }) => !own.has(challengeId))
    .toSorted(() => random() - 0.5)
    .slice(0, FLAGS.min + Math.floor(random() * (FLAGS.max - FLAGS.min + 1)))
  const isProgram = chance(random, PROGRAM_SHARE)
  const copiesWrong = chance(random, WRONG_SHARE)
  for (const [index, solve] of given.entries()) {
    const { challengeId } = solve
    const delay = chance(random, SOON_SHARE) ? 0.5 + random() * 14 : 30 + random() * 300
    const at = Math.min(endTime - 1, Math.floor(solve.at + delay * MINUTE_MS))
    const row = { ...solve, teamId: receiver, ip, at }
    attempts.push({ ...row, id: `${solve.id}-shared-${index}` })
    const seen = { teamId: receiver, challengeId, at: at - MINUTE_MS }
    if (!isProgram) received.push(seen)
    if (challenges.find(({ id }) => id === challengeId)?.hasInstances && chance(random, CAREFUL_SHARE))
      started.push(seen)
    if (copiesWrong && index === 0) copyWrong(draft, solve, row)
  }
}

/** Both try the same wrong text before. */
function copyWrong(
  { random, attempts }: Draft,
  solve: Draft['attempts'][number],
  copy: Draft['attempts'][number],
): void {
  const text = `flag{${Math.floor(random() * 2 ** 40).toString(36)}_was_a_guess}`
  const wrong = { text, result: 'incorrect' as const }
  const before = attempts.find(
    ({ teamId, challengeId, result }) =>
      teamId === solve.teamId && challengeId === solve.challengeId && result === 'incorrect',
  )
  if (before) replace(attempts, before, { ...before, ...wrong })
  else attempts.push({ ...solve, ...wrong, id: `${solve.id}-wrong`, at: solve.at - 3 * MINUTE_MS })
  attempts.push({ ...copy, ...wrong, id: `${copy.teamId}-wrong`, at: copy.at - MINUTE_MS })
}
