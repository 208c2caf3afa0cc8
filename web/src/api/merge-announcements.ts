import type { StreamEventData } from '@pennant/contract/stream.ts'

export type Announcements = StreamEventData<'announcements'>['published']
export type Announcement = Announcements[number]

/** Applies an event of the stream to a list in its order: pinned ones first, then newest first. */
export function mergeAnnouncements(
  list: Announcements,
  { published, withdrawn }: StreamEventData<'announcements'>,
): Announcements {
  const gone = new Set([...withdrawn, ...published.map(({ id }) => id)])
  const rest = list.filter(({ id }) => !gone.has(id))
  return [...published, ...rest].toSorted(
    (a, b) => Number(b.pinned) - Number(a.pinned) || b.publishedAt - a.publishedAt,
  )
}

/** The event for the list of those who are signed out: what is only for some teams leaves it. */
export function forEveryone({
  published,
  withdrawn,
}: StreamEventData<'announcements'>): StreamEventData<'announcements'> {
  const narrowed = published.filter(({ audience }) => audience !== 'all').map(({ id }) => id)
  return {
    published: published.filter(({ audience }) => audience === 'all'),
    withdrawn: [...withdrawn, ...narrowed],
  }
}
