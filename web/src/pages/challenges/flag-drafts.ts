/** Flags that are typed and not taken yet, by challenge, for as long as this page lives: leaving the box loses nothing. */
const drafts = new Map<string, string>()
const MOST_KEPT = 100

export function draftOf(challengeId: string): string {
  return drafts.get(challengeId) ?? ''
}

export function keepDraft(challengeId: string, typed: string): void {
  drafts.delete(challengeId)
  if (typed !== '') drafts.set(challengeId, typed)
  const [oldest] = drafts.keys()
  if (drafts.size > MOST_KEPT && oldest !== undefined) drafts.delete(oldest)
}
