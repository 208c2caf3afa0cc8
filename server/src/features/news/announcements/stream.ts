import type { WorldView } from '../../../world/model.ts'
import type { Moment, Receiver, StreamEntry, StreamKind } from '../../contest/kinds/stream-kind.ts'
import { announcementView } from './public-announcement.ts'
import { announcementRows, type AnnouncementRow } from './rows.ts'
import { isVisible } from './rules.ts'

interface Part {
  readonly published: readonly AnnouncementRow[]
  readonly withdrawn: readonly string[]
}

const named = (ids: readonly string[], world: WorldView) =>
  world.rows(announcementRows).filter(({ id }) => ids.includes(id))

/** Announcements for those that solved a challenge include solves after a freeze. */
function visibleOf(
  rows: readonly AnnouncementRow[],
  receiver: Receiver,
  { live, now }: Moment,
): readonly AnnouncementRow[] {
  return rows.filter((row) => isVisible(row, receiver, { world: live, now }))
}

/** An id is only mentioned as withdrawn to those that the announcement was meant for before. */
function partOf(
  { ids, known }: StreamEntry<readonly AnnouncementRow[]>,
  receiver: Receiver,
  moment: Moment,
): Part {
  const published = visibleOf(named(ids, moment.world), receiver, moment)
  const shown = new Set(published.map(({ id }) => id))
  const withdrawn = visibleOf(known, receiver, moment).flatMap(({ id }) => (shown.has(id) ? [] : id))
  return { published, withdrawn }
}

function dataOf({ published, withdrawn }: Part) {
  if (published.length + withdrawn.length === 0) return null
  return { published: published.map(announcementView), withdrawn: [...withdrawn] }
}

const keyOf = ({ published, withdrawn }: Part) => JSON.stringify([published.map(({ id }) => id), withdrawn])

const scheduled = (ids: readonly string[], receiver: Receiver, moment: Moment): Part => ({
  published: visibleOf(named(ids, moment.world), receiver, moment),
  withdrawn: [],
})

export const announcementEvents: StreamKind<'announcements', readonly AnnouncementRow[]> = {
  name: 'announcements',
  entryKind: announcementRows.kind,
  mayReceive: () => true,
  know: named,
  keyFor: (entry, receiver, moment) => keyOf(partOf(entry, receiver, moment)),
  data: (entry, receiver, moment) => dataOf(partOf(entry, receiver, moment)),
  clock: {
    since: (after, { world, now }, namedIds) =>
      world
        .rows(announcementRows)
        .filter(({ id, publishAt }) => publishAt > after && publishAt <= now && !namedIds.has(id))
        .map(({ id }) => id),
    keyFor: (ids, receiver, moment) => keyOf(scheduled(ids, receiver, moment)),
    data: (ids, receiver, moment) => dataOf(scheduled(ids, receiver, moment)),
  },
}
