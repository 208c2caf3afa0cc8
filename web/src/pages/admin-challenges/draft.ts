import type { putChallengeV2, readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import type { SentOf } from '@pennant/contract/route.ts'
import type { requestData } from '../../api/client.ts'

// The fields of a challenge that organisers edit, except its position on the page.

/** A challenge fetched individually, with the fields that the list omits. */
export type CountedChallenge = Awaited<ReturnType<typeof requestData<typeof readAdminChallengeV2>>>

export type AdminChallenge = Omit<CountedChallenge, 'solveCount' | 'waveId'> & {
  readonly waveId?: string | null | undefined
}

type Written =
  | 'name'
  | 'category'
  | 'author'
  | 'description'
  | 'hidden'
  | 'releaseTime'
  | 'tags'
  | 'files'
  | 'flags'
  | 'points'
  | 'scoring'
  | 'instancerConfig'

/** Only the code of the admin bot is editable; the server derives the rest from it. */
export interface Draft extends Pick<AdminChallenge, Written> {
  /** Null: follows from the points. */
  readonly tiebreakEligible: boolean | null
  /** Null: in no wave. While it is in one, the wave decides `releaseTime`. */
  readonly waveId: string | null
  readonly prerequisites: string[]
  readonly lockedShown: boolean
  /** Null: no admin bot. */
  readonly adminBotCode: string | null
}

export type DraftField = keyof Draft

export const DRAFT_FIELDS: readonly DraftField[] = [
  'name',
  'category',
  'author',
  'description',
  'tags',
  'tiebreakEligible',
  'hidden',
  'releaseTime',
  'waveId',
  'prerequisites',
  'lockedShown',
  'files',
  'flags',
  'points',
  'scoring',
  'instancerConfig',
  'adminBotCode',
]

export type Body = SentOf<typeof putChallengeV2>['body']['data']

export const NEW_DRAFT: Draft = {
  name: '',
  category: '',
  author: '',
  description: '',
  tags: [],
  tiebreakEligible: null,
  hidden: true,
  releaseTime: null,
  waveId: null,
  prerequisites: [],
  lockedShown: false,
  files: [],
  flags: [],
  points: { min: 100, max: 500 },
  scoring: { kind: 'decay' },
  instancerConfig: null,
  adminBotCode: null,
}

export function draftOf(challenge: AdminChallenge): Draft {
  const { adminBotConfig, waveId = null, prerequisites = [], lockedShown = false } = challenge
  const tiebreakEligible = challenge.tiebreakChoice ?? null
  const source: Omit<Draft, 'adminBotCode'> = {
    ...challenge,
    tiebreakEligible,
    waveId,
    prerequisites,
    lockedShown,
  }
  const kept = DRAFT_FIELDS.filter((field) => field !== 'adminBotCode').map((field) => [field, source[field]])
  return { ...(Object.fromEntries(kept) as typeof source), adminBotCode: adminBotConfig?.code ?? null }
}

/** Returns the named fields in the format of the API. */
export function bodyOf(draft: Draft, fields: readonly DraftField[]): Body {
  const body: Record<string, unknown> = {}
  for (const field of fields) {
    // The server refuses another time than that of the wave.
    if (field === 'releaseTime' && draft.waveId !== null) continue
    if (field === 'adminBotCode')
      body['adminBotConfig'] = draft.adminBotCode === null ? null : { code: draft.adminBotCode }
    else body[field] = draft[field]
  }
  return body
}

/** Example: `Web` and `My Shop!` become `web-my-shop`. */
export function idFor(category: string, name: string): string {
  return `${category} ${name}`
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100)
}
