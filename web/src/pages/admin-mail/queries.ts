import { listMailings, type previewMailing } from '@pennant/contract/mailings.ts'
import type { SentOf } from '@pennant/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { requestData } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { teamFilterBody } from '../../organisers/field-lists.tsx'
import type { Filter } from '../../ui/data/filters.ts'
import { refresh } from '../../state/live.ts'

/** While mails are sent, the numbers change. */
const EVERY_MS = 10_000

export const mailingsQuery = queryOptions({
  queryKey: [OWN_KEY, 'admin-mailings'],
  queryFn: ({ signal }) => requestData(listMailings, {}, { signal }),
  ...refresh(EVERY_MS),
})

export type Mailing = Awaited<ReturnType<typeof requestData<typeof listMailings>>>['mailings'][number]
export type MailData = SentOf<typeof previewMailing>['body']['data']
type Addresses = MailData['to']['addresses']

export const addressKinds = ['teams', 'people', 'both'] as const satisfies readonly Addresses[]
/** Empty for all. */
export const statuses = ['', 'active', 'banned', 'admin'] as const

export interface Draft {
  readonly subject: string
  readonly content: string
  readonly topic: MailData['topic']
  readonly addresses: Addresses
  readonly status: (typeof statuses)[number]
  /** Empty for all. */
  readonly division: string
  readonly search: string
  /** By answers and eligibility. */
  readonly filters: readonly Filter[]
}

export const emptyDraft: Draft = {
  subject: '',
  content: '',
  topic: 'event',
  addresses: 'teams',
  status: 'active',
  division: '',
  search: '',
  filters: [],
}

/** `chosen`: ids of teams, from the list of teams. */
export function dataOf(draft: Draft, chosen: readonly string[]): MailData {
  const { subject, content, topic, addresses, status, division, search, filters } = draft
  if (chosen.length > 0) return { subject, content, topic, to: { addresses, ids: [...chosen] } }
  return {
    subject,
    content,
    topic,
    to: {
      addresses,
      ...(status !== '' && { status: { include: [status] } }),
      ...(division !== '' && { division: { include: [division] } }),
      ...(search.trim() !== '' && { search: search.trim() }),
      ...teamFilterBody(filters),
    },
  }
}
