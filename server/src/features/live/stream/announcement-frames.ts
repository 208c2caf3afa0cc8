import { announcementView } from '../../news/announcements/public-announcement.ts'
import { isVisible, type AtMoment } from '../../news/announcements/rules.ts'
import { type AnnouncementRow, announcementRows } from '../../news/announcements/rows.ts'
import { frame } from './frames.ts'
import type { Moment, Receiver } from './kinds.ts'
import type { WindowEntry } from './log-window.ts'

/** Announcements for one receiver. Receivers with the same `key` get the same text. */
export interface AnnouncementPart {
  readonly key: string
  readonly published: readonly AnnouncementRow[]
  readonly withdrawn: readonly string[]
}

/**
 * What an entry of the change log means for the receiver now. An id is only mentioned as withdrawn to those that the announcement
 * was meant for before.
 */
export function partOf(entry: WindowEntry, receiver: Receiver, moment: Moment): AnnouncementPart {
  if (entry.kind !== 'announcements') return NOTHING
  const named = moment.world.rows(announcementRows).filter(({ id }) => entry.ids.includes(id))
  const published = named.filter((row) => isVisible(row, receiver, liveAt(moment)))
  const shown = new Set(published.map(({ id }) => id))
  const withdrawn = entry.replaced
    .filter((row) => !shown.has(row.id) && isVisible(row, receiver, liveAt(moment)))
    .map(({ id }) => id)
  return withKey(published, withdrawn)
}

/** Announcements that the clock published, as far as the receiver may see them. */
export function scheduledPart(
  rows: readonly AnnouncementRow[],
  receiver: Receiver,
  moment: Moment,
): AnnouncementPart {
  if (rows.length === 0) return NOTHING
  return withKey(
    rows.filter((row) => isVisible(row, receiver, liveAt(moment))),
    [],
  )
}

/** Announcements for those that solved a challenge include solves after a freeze. */
function liveAt({ live, now }: Moment): AtMoment {
  return { world: live, now }
}

const NOTHING: AnnouncementPart = { key: '', published: [], withdrawn: [] }

function withKey(published: readonly AnnouncementRow[], withdrawn: readonly string[]): AnnouncementPart {
  if (published.length + withdrawn.length === 0) return NOTHING
  return { key: JSON.stringify([published.map(({ id }) => id), withdrawn]), published, withdrawn }
}

export function announcementFrame({ key, published, withdrawn }: AnnouncementPart, id?: string): string {
  if (key === '') return ''
  return frame('announcements', { published: published.map(announcementView), withdrawn: [...withdrawn] }, id)
}

/** Published by the clock after a moment, up to now. */
export function publishedSince(since: number, { world, now }: Moment): AnnouncementRow[] {
  return world.rows(announcementRows).filter(({ publishAt }) => publishAt > since && publishAt <= now)
}
