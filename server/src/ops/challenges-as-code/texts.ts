import type { ChallengeValue } from '../../features/organisers/archives/value.ts'

/** Texts of a challenge that players see. */
export function textsOf({ description = '', hints = [] }: Partial<ChallengeValue>): string[] {
  return [description, ...hints.map(({ text }) => text)]
}

export function withTexts(value: ChallengeValue, change: (text: string) => string): ChallengeValue {
  const { description, hints } = value
  return {
    ...value,
    ...(description !== undefined && { description: change(description) }),
    ...(hints && { hints: hints.map((hint) => ({ ...hint, text: change(hint.text) })) }),
  }
}
