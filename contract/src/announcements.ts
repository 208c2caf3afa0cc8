import { z } from 'zod'
import { ChallengeId, TeamId, UnixMs } from './fields.ts'
import { Instant } from './instants.ts'
import { badChallenge, badUnknownUser } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'

// Texts of the organisers to the players: docs/reference/announcements.md

/**
 * Characters of the texts, stored announcements, announcements that a player is shown, and earlier versions that are kept of
 * each. Every browser downloads what it is shown.
 */
export const announcementLimits = { title: 200, content: 10_000, stored: 500, shown: 100, versions: 100 }

export const AnnouncementSeverity = z.enum(['info', 'warning', 'critical'])

/** Who sees it. `solved` and `unsolved`: teams that have or have not solved the challenge, while that is public. */
export const AnnouncementAudience = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('division'), division: z.string().min(1).max(255) }),
  z.object({ kind: z.literal('team'), teamId: TeamId }),
  z.object({ kind: z.literal('solved'), challengeId: ChallengeId }),
  z.object({ kind: z.literal('unsolved'), challengeId: ChallengeId }),
])

/** An announcement as its receivers see it. Times are Unix milliseconds. */
export const Announcement = z.object({
  id: z.string(),
  title: z.string(),
  content: z.string().describe('Markdown.'),
  severity: AnnouncementSeverity,
  audience: z.enum(['all', 'division', 'team', 'solved', 'unsolved']),
  challengeId: z.string().nullable().describe('The challenge of the audiences `solved` and `unsolved`.'),
  pinned: z.boolean(),
  publishedAt: UnixMs,
  editedAt: UnixMs.nullable().describe('Of the last edit after the publication.'),
})

const fields = {
  title: z.string().trim().min(1).max(announcementLimits.title),
  content: z.string().max(announcementLimits.content),
  severity: AnnouncementSeverity,
  audience: AnnouncementAudience,
  pinned: z.boolean(),
  forward: z
    .boolean()
    .describe('Also sends it to the configured messengers, once. Only with the audience `all`.'),
  publishAt: Instant,
}

const stored = {
  title: z.string(),
  content: z.string(),
  severity: AnnouncementSeverity,
  audience: AnnouncementAudience,
  audienceName: z
    .string()
    .nullable()
    .describe(
      'Name of the division, team or challenge. Null for everyone, if it is gone, and for a challenge that the caller may not read.',
    ),
  pinned: z.boolean(),
  forward: z.boolean(),
  publishAt: UnixMs,
  version: z.int(),
}

export const AdminAnnouncement = z.object({
  id: z.string(),
  ...stored,
  createdAt: UnixMs,
  editedAt: UnixMs.nullable(),
})

/** A version that an edit replaced, and the edit. */
export const EarlierVersion = z.object({
  ...stored,
  replacedAt: UnixMs,
  replacedBy: z.string().nullable().describe('The team that edited it.'),
  replacedByName: z.string().nullable().describe('Null if that account was deleted.'),
})

export const goodAnnouncements = reply(
  200,
  'goodAnnouncements',
  'Announcements.',
  z.object({ announcements: z.array(Announcement) }),
)
export const goodAdminAnnouncements = reply(
  200,
  'goodAdminAnnouncements',
  'Announcements.',
  z.object({ announcements: z.array(AdminAnnouncement) }),
)
export const goodAdminAnnouncement = reply(
  200,
  'goodAdminAnnouncement',
  'The announcement.',
  z.object({ announcement: AdminAnnouncement, earlier: z.array(EarlierVersion) }),
)
export const goodAnnouncementUpdate = reply(
  200,
  'goodAnnouncementUpdate',
  'The announcement was saved.',
  z.object({ announcement: AdminAnnouncement }),
)
export const goodAnnouncementDelete = reply(200, 'goodAnnouncementDelete', 'The announcement was deleted.')
export const goodAnnouncementFeed = reply(
  200,
  'goodAnnouncementFeed',
  'The announcements to everyone, as an Atom feed.',
  z.string(),
)
export const badAnnouncement = reply(404, 'badAnnouncement', 'No such announcement.')
export const badAnnouncementVersion = reply(
  409,
  'badAnnouncementVersion',
  'Someone else has edited the announcement in the meantime.',
  z.object({ version: z.int() }),
)
export const badAnnouncementCount = reply(
  409,
  'badAnnouncementCount',
  'There are too many announcements. Delete old ones first.',
  z.object({ max: z.int() }),
)

/** Links to the feed need no client. */
export const ANNOUNCEMENT_FEED = '/api/v2/announcements/feed'

export const listAnnouncements = route({
  method: 'GET',
  path: '/api/v2/announcements',
  summary: 'What the organisers announced to the caller, pinned ones first, then newest first.',
  auth: 'optional',
  shows: [],
  scope: 'read',
  limits: [],
  replies: [goodAnnouncements],
})

export const getAnnouncementFeed = route({
  method: 'GET',
  path: ANNOUNCEMENT_FEED,
  summary: 'The announcements to everyone, for feed readers.',
  auth: 'public',
  shows: [],
  text: { type: 'application/atom+xml', maxAgeS: 60 },
  limits: [],
  replies: [goodAnnouncementFeed],
})

const admin = {
  path: '/api/v2/admin/announcements',
  auth: 'required',
  perms: ['settingsWrite'],
  scope: 'announcements:write',
} as const
const one = {
  ...admin,
  path: '/api/v2/admin/announcements/:id',
  params: z.object({ id: z.string().min(1).max(255) }),
} as const
const write = { bodyCap: 'admin', limits: ['organiserCalls'] } as const
const refused = [badChallenge, badUnknownUser] as const

export const listAdminAnnouncements = organiserRoute({
  ...admin,
  method: 'GET',
  summary: 'All announcements, newest first.',
  replies: [goodAdminAnnouncements],
})

export const readAdminAnnouncement = organiserRoute({
  ...one,
  method: 'GET',
  summary: 'An announcement and its earlier versions, newest first.',
  replies: [goodAdminAnnouncement, badAnnouncement],
})

const { title, content, severity, audience, pinned, forward, publishAt } = fields

export const createAnnouncement = route({
  ...admin,
  ...write,
  method: 'POST',
  summary: 'Announces something, immediately or at `publishAt`.',
  body: z.object({
    data: z.object({
      title,
      content: content.default(''),
      severity: severity.default('info'),
      audience: audience.default({ kind: 'all' }),
      pinned: pinned.default(false),
      forward: forward.default(false),
      publishAt: publishAt.optional(),
    }),
  }),
  replies: [goodAnnouncementUpdate, ...refused, badAnnouncementCount],
})

export const updateAnnouncement = route({
  ...one,
  ...write,
  method: 'PUT',
  summary: 'Changes the fields that are sent and keeps the earlier version.',
  body: z.object({
    data: z.object({
      version: z
        .int()
        .min(1)
        .max(2 ** 31 - 1)
        .describe('The version that was edited.'),
      title: title.optional(),
      content: content.optional(),
      severity: severity.optional(),
      audience: audience.optional(),
      pinned: pinned.optional(),
      forward: forward.optional(),
      publishAt: publishAt.nullable().optional().describe('Null: now.'),
    }),
  }),
  replies: [goodAnnouncementUpdate, ...refused, badAnnouncement, badAnnouncementVersion],
})

export const deleteAnnouncement = organiserRoute({
  ...one,
  method: 'DELETE',
  summary: 'Deletes an announcement and its earlier versions.',
  replies: [goodAnnouncementDelete, badAnnouncement],
})

export const announcementRouteList = [
  listAnnouncements,
  getAnnouncementFeed,
  listAdminAnnouncements,
  readAdminAnnouncement,
  createAnnouncement,
  updateAnnouncement,
  deleteAnnouncement,
] as const
