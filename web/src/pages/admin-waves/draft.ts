import type { Wave } from './queries.ts'

/** The fields of the form. */
export interface Draft {
  readonly name: string
  /** Unix milliseconds; null: not scheduled. */
  readonly openAt: number | null
  readonly countdown: boolean
  readonly announce: boolean
  readonly forward: boolean
  /** Empty: the default. */
  readonly title: string
  readonly text: string
  readonly challengeIds: readonly string[]
}

export const emptyDraft: Draft = {
  name: '',
  openAt: null,
  countdown: false,
  announce: true,
  forward: false,
  title: '',
  text: '',
  challengeIds: [],
}

export function draftOf({ name, openAt, countdown, announce, forward, ...wave }: Wave): Draft {
  const { title, text, challengeIds } = wave
  return { name, openAt, countdown, announce, forward, title: title ?? '', text: text ?? '', challengeIds }
}

/** The body of the request. */
export function dataOf(draft: Draft, force: boolean) {
  return {
    ...draft,
    name: draft.name.trim(),
    title: draft.title.trim() || null,
    text: draft.text.trim() === '' ? null : draft.text,
    challengeIds: [...draft.challengeIds],
    force,
  }
}
