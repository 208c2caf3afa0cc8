import * as contract from '@pennant/contract/announcements.ts'
import type { z } from 'zod'
import { on } from '../handler.ts'
import { hasSolved, type MockTeam, type World } from '../world.ts'

type Stored = World['announcements'][number]

/** With the name of its audience. */
function withName(world: World, row: Stored): z.input<typeof contract.AdminAnnouncement> {
  const { audience } = row
  if (audience.kind === 'all') return { ...row, audienceName: null }
  if (audience.kind === 'division') return { ...row, audienceName: audience.division }
  const named =
    audience.kind === 'team' ? world.teams.get(audience.teamId) : world.challenges.get(audience.challengeId)
  return { ...row, audienceName: named?.name ?? null }
}

function isVisible({ publishAt, audience }: Stored, team: MockTeam | null, world: World): boolean {
  if (publishAt > world.now()) return false
  if (audience.kind === 'all') return true
  if (!team) return false
  if (audience.kind === 'division') return team.division === audience.division
  if (audience.kind === 'team') return team.id === audience.teamId
  return hasSolved(world, team.id, audience.challengeId) === (audience.kind === 'solved')
}

const list = on(contract.listAnnouncements, ({ world, team }) => {
  const announcements = world.announcements
    .filter((row) => isVisible(row, team, world))
    .map(({ id, title, content, severity, audience, pinned, publishAt, editedAt }) => ({
      id,
      title,
      content,
      severity,
      pinned,
      editedAt,
      audience: audience.kind,
      challengeId: 'challengeId' in audience ? audience.challengeId : null,
      publishedAt: publishAt,
    }))
    .toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || b.publishedAt - a.publishedAt)
  return contract.goodAnnouncements({ announcements })
})

const listAll = on(contract.listAdminAnnouncements, ({ world }) =>
  contract.goodAdminAnnouncements({ announcements: world.announcements.map((row) => withName(world, row)) }),
)

const read = on(contract.readAdminAnnouncement, ({ world, params: { id } }) => {
  const row = world.announcements.find((each) => each.id === id)
  if (!row) return contract.badAnnouncement()
  const announcement = withName(world, row)
  const { createdAt: _, editedAt: __, id: ___, ...texts } = announcement
  const earlier =
    announcement.version === 1
      ? []
      : [{ ...texts, version: 1, replacedAt: world.now(), replacedBy: null, replacedByName: null }]
  return contract.goodAdminAnnouncement({ announcement, earlier })
})

const create = on(contract.createAnnouncement, ({ world, body: { data } }) => {
  const now = world.now()
  const { publishAt = now, ...texts } = data
  const meta = { version: 1, createdAt: now, editedAt: null }
  const announcement = { id: world.nextId('announcement'), ...texts, publishAt, ...meta }
  world.announcements.unshift(announcement)
  return contract.goodAnnouncementUpdate({ announcement: withName(world, announcement) })
})

const update = on(contract.updateAnnouncement, ({ world, params: { id }, body: { data } }) => {
  const at = world.announcements.findIndex((row) => row.id === id)
  const old = world.announcements[at]
  if (!old) return contract.badAnnouncement()
  if (old.version !== data.version) return contract.badAnnouncementVersion({ version: old.version })
  const given = Object.entries(data).filter(([, value]) => value !== undefined)
  const announcement = {
    ...old,
    ...Object.fromEntries(given),
    version: old.version + 1,
    editedAt: world.now(),
    publishAt: data.publishAt === null ? world.now() : (data.publishAt ?? old.publishAt),
  }
  world.announcements[at] = announcement
  return contract.goodAnnouncementUpdate({ announcement: withName(world, announcement) })
})

const remove = on(contract.deleteAnnouncement, ({ world, params: { id } }) => {
  const at = world.announcements.findIndex((row) => row.id === id)
  if (at < 0) return contract.badAnnouncement()
  world.announcements.splice(at, 1)
  return contract.goodAnnouncementDelete()
})

export const announcementEndpoints = [list, listAll, read, create, update, remove]
