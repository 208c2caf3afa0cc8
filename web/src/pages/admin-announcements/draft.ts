import type { AnnouncementAudience } from '@pennant/contract/announcements.ts'
import type { z } from 'zod'
import type { AdminAnnouncement } from './queries.ts'

type Audience = z.input<typeof AnnouncementAudience>

export const audienceKinds = ['all', 'division', 'team', 'solved', 'unsolved'] as const
export const severities = ['info', 'warning', 'critical'] as const

/** The fields of the form. */
export interface Draft {
  readonly title: string
  readonly content: string
  readonly severity: (typeof severities)[number]
  readonly audience: Audience['kind']
  /** The division, team or challenge; unused for `all`. */
  readonly target: string
  readonly pinned: boolean
  readonly forward: boolean
  /** Unix milliseconds; null for immediately, or for the stored time. */
  readonly publishAt: number | null
}

export const emptyDraft: Draft = {
  title: '',
  content: '',
  severity: 'info',
  audience: 'all',
  target: '',
  pinned: false,
  forward: false,
  publishAt: null,
}

export function draftOf(stored: AdminAnnouncement): Draft {
  const { title, content, severity, audience, pinned, forward, publishAt } = stored
  return {
    title,
    content,
    severity,
    audience: audience.kind,
    target: targetOf(audience),
    pinned,
    forward,
    publishAt,
  }
}

export function targetOf(audience: Audience): string {
  if (audience.kind === 'division') return audience.division
  if (audience.kind === 'team') return audience.teamId
  return audience.kind === 'all' ? '' : audience.challengeId
}

/** The body of the request. */
export function dataOf(draft: Draft) {
  const { title, content, severity, pinned, publishAt } = draft
  return {
    title,
    content,
    severity,
    audience: audienceOf(draft),
    pinned,
    forward: draft.forward && draft.audience === 'all',
    ...(publishAt === null ? {} : { publishAt }),
  }
}

function audienceOf({ audience, target }: Draft): Audience {
  const id = target.trim()
  if (audience === 'all') return { kind: 'all' }
  if (audience === 'division') return { kind: 'division', division: id }
  return audience === 'team' ? { kind: 'team', teamId: id } : { kind: audience, challengeId: id }
}
