import type { FairPlayThresholds } from '@pennant/contract/fair-play.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { groupBy } from '../../../../lib/group-by.ts'
import type { AttemptFact, Facts } from './facts.ts'
import { signal, type Signal } from './signal.ts'

/** Equal wrong flags of two teams that hardly any other team sent. */
export function equalWrongFlags(facts: Facts, thresholds: FairPlayThresholds): Signal[] {
  const { wrongFlagLength, wrongFlagTeams } = thresholds
  const isKnown = rightWords(facts)
  const minted = new Set(facts.minted.map(({ flag }) => flag))
  const wrong = facts.attempts.filter(
    ({ result, text }) =>
      result === 'incorrect' && text.trim().length >= wrongFlagLength && !minted.has(text),
  )
  const groups = groupBy(wrong, ({ challengeId, text }) => JSON.stringify([challengeId, text.trim()]))
  return [...groups.values()].flatMap((attempts) => {
    const firsts = firstOfEachTeam(attempts)
    const [first] = firsts
    if (!first || firsts.length < 2 || firsts.length > wrongFlagTeams || isKnown(first)) return []
    return pairsOf(firsts, thresholds)
  })
}

function firstOfEachTeam(attempts: readonly AttemptFact[]): AttemptFact[] {
  const firsts = new Map<string, AttemptFact>()
  for (const attempt of attempts) if (!firsts.has(attempt.teamId)) firsts.set(attempt.teamId, attempt)
  return [...firsts.values()]
}

function pairsOf(firsts: readonly AttemptFact[], { wrongFlagMinutes }: FairPlayThresholds): Signal[] {
  return firsts.flatMap((later, at) => {
    const earlier = firsts[at - 1]
    const distance = earlier ? later.at - earlier.at : Infinity
    if (!earlier || distance > wrongFlagMinutes * MINUTE_MS) return []
    return [
      signal({
        kind: 'equalWrongFlag',
        teamIds: [later.teamId, earlier.teamId],
        challengeId: later.challengeId,
        at: later.at,
        submissionIds: [later.id, earlier.id],
        evidence: { flag: later.text.trim(), teams: firsts.length, seconds: Math.round(distance / 1000) },
      }),
    ]
  })
}

/**
 * Whether a wrong flag consists of words of a right one: teams that are close make the same mistakes, such as a
 * missing bracket or another order, on their own.
 */
function rightWords({ challenges, attempts }: Facts): (attempt: AttemptFact) => boolean {
  const words = new Map<string, Set<string>>()
  const add = (challengeId: string, text: string) => {
    const known = words.get(challengeId) ?? new Set<string>()
    words.set(challengeId, known)
    for (const word of wordsOf(text)) known.add(word)
  }
  for (const { id, flags } of challenges) for (const flag of flags) add(id, flag)
  for (const { challengeId, text, result } of attempts) if (result === 'correct') add(challengeId, text)
  return ({ challengeId, text }) => {
    const known = words.get(challengeId)
    return known !== undefined && wordsOf(text).every((word) => known.has(word))
  }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
