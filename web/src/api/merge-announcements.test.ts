import { expect, test } from 'vitest'
import { forEveryone, mergeAnnouncements, type Announcement } from './merge-announcements.ts'

function row(id: string, publishedAt: number, more: Partial<Announcement> = {}): Announcement {
  const texts = { title: id, content: '', severity: 'info', audience: 'all', challengeId: null } as const
  return { id, ...texts, pinned: false, publishedAt, editedAt: null, ...more }
}

const idsOf = (list: readonly Announcement[]) => list.map(({ id }) => id)

test('new ones come first, below pinned ones; edited ones are replaced and withdrawn ones removed', () => {
  const list = [row('pinned', 1, { pinned: true }), row('b', 3), row('a', 2)]
  const next = mergeAnnouncements(list, {
    published: [row('c', 4), row('a', 2, { title: 'edited' })],
    withdrawn: ['b'],
  })
  expect(idsOf(next)).toEqual(['pinned', 'c', 'a'])
  expect(next[2]?.title).toBe('edited')
  expect(
    idsOf(mergeAnnouncements(next, { published: [row('a', 2, { pinned: true })], withdrawn: [] })),
  ).toEqual(['a', 'pinned', 'c'])
})

test('the list of those who are signed out has nothing that is only for a team', () => {
  const published = [row('all', 3), row('team', 4, { audience: 'team' })]
  const next = mergeAnnouncements(
    [row('team', 1), row('old', 2)],
    forEveryone({ published, withdrawn: ['old'] }),
  )
  expect(idsOf(next)).toEqual(['all'])
})
