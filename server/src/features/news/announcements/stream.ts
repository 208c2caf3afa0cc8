import type { WorldView } from '../../../world/model.ts'
import type { Snapshot, Receiver, StreamEntry, StreamKind } from '../../contest/kinds/stream-kind.ts'
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
  { live, now }: Snapshot,
): readonly AnnouncementRow[] {
  return rows.filter((row) => isVisible(row, receiver, { world: live, now }))
}

/** An id is only mentioned as withdrawn to those that the announcement was meant for before. */
function partOf(
  { ids, known }: StreamEntry<readonly AnnouncementRow[]>,
  receiver: Receiver,
  snapshot: Snapshot,
): Part {
  const published = visibleOf(named(ids, snapshot.world), receiver, snapshot)
  const shown = new Set(published.map(({ id }) => id))
  const withdrawn = visibleOf(known, receiver, snapshot).flatMap(({ id }) => (shown.has(id) ? [] : id))
  return { published, withdrawn }
}

function dataOf({ published, withdrawn }: Part) {
  if (published.length + withdrawn.length === 0) return null
  return { published: published.map(announcementView), withdrawn: [...withdrawn] }
}

const keyOf = ({ published, withdrawn }: Part) => JSON.stringify([published.map(({ id }) => id), withdrawn])

const scheduled = (ids: readonly string[], receiver: Receiver, snapshot: Snapshot): Part => ({
  published: visibleOf(named(ids, snapshot.world), receiver, snapshot),
  withdrawn: [],
})

export const announcementEvents: StreamKind<'announcements', readonly AnnouncementRow[]> = {
  name: 'announcements',
  entryKind: announcementRows.kind,
  mayReceive: () => true,
  know: named,
  keyFor: (entry, receiver, snapshot) => keyOf(partOf(entry, receiver, snapshot)),
  data: (entry, receiver, snapshot) => dataOf(partOf(entry, receiver, snapshot)),
  clock: {
    since: (after, { world, now }, namedIds) =>
      world
        .rows(announcementRows)
        .filter(({ id, publishAt }) => publishAt > after && publishAt <= now && !namedIds.has(id))
        .map(({ id }) => id),
    keyFor: (ids, receiver, snapshot) => keyOf(scheduled(ids, receiver, snapshot)),
    data: (ids, receiver, snapshot) => dataOf(scheduled(ids, receiver, snapshot)),
  },
}
