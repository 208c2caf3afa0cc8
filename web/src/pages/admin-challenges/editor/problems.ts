import { DRAFT_FIELDS, type Draft, type DraftField } from '../draft.ts'
import { isTimeMissing } from '../release/release.ts'

export type SectionId = 'details' | 'files' | 'flags' | 'scoring' | 'instance' | 'bot'

const OTHER_SECTIONS: Readonly<Record<Exclude<SectionId, 'details'>, readonly DraftField[]>> = {
  flags: ['flags'],
  scoring: ['points', 'scoring'],
  files: ['files'],
  instance: ['instancerConfig'],
  bot: ['adminBotCode'],
}
const elsewhere = new Set(Object.values(OTHER_SECTIONS).flat())

/** The fields of each section, in the order of the form. */
export const SECTION_FIELDS: Readonly<Record<SectionId, readonly DraftField[]>> = {
  details: DRAFT_FIELDS.filter((field) => !elsewhere.has(field)),
  ...OTHER_SECTIONS,
}

/** Error messages by field. */
export type Problems = Partial<Readonly<Record<DraftField, string>>>

interface Refused {
  readonly kind: string
  readonly data?: unknown
}

/** Returns the field that an error response refers to, or null. */
export function refusedField({ kind, data }: Refused): DraftField | null {
  if (kind === 'badInstancerConfig') return 'instancerConfig'
  if (kind === 'badAdminBotConfig') return 'adminBotCode'
  if (kind !== 'badBody') return null
  const reason = String((data as { reason?: unknown } | null | undefined)?.reason ?? '')
  const name = /^body:data\.(\w+)/.exec(reason)?.[1]
  if (name === 'flag') return 'flags'
  if (name === 'adminBotConfig') return 'adminBotCode'
  return DRAFT_FIELDS.find((field) => field === name) ?? null
}

const MAX_POINTS = 2_147_483_647

interface ProblemMessages {
  readonly releaseMissing: string
  readonly wholeNumber: string
  readonly minAboveMax: string
  readonly secretMissing: string
}

/** Client-side validation before anything is sent. */
export function problemsOf(draft: Draft, messages: ProblemMessages): Problems {
  const { points, scoring } = draft
  const { min, max } = points
  const isWhole = [min, max].every((value) => Number.isInteger(value) && Math.abs(value) <= MAX_POINTS)
  return {
    ...(isTimeMissing(draft) ? { releaseTime: messages.releaseMissing } : {}),
    ...(isWhole ? {} : { points: messages.wholeNumber }),
    ...(isWhole && min > max ? { points: messages.minAboveMax } : {}),
    ...(scoring.kind === 'dynamic' && scoring.source.secret === ''
      ? { scoring: messages.secretMissing }
      : {}),
  }
}
