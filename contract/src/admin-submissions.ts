import { z } from 'zod'
import { ActingPerson, ActingToken, ChallengeId, PersonId, TeamId, Timestamp } from './fields.ts'
import { AdminPage, AdminSearch, filterOf, SortOrder } from './filters.ts'
import { organiserRoute, reply } from './route.ts'
import { parseTimestamp } from './timestamps.ts'

// The submission audit: docs/reference/audit.md#submission-audit

/** The results of each kind of submission; no result belongs to two kinds. */
export const resultsByKind = {
  flag: ['correct', 'incorrect', 'already_solved'],
  admin_bot: ['queued', 'active_job', 'invalid_input', 'bad_instancer_state'],
} as const

export const SubmissionKind = z.enum(['flag', 'admin_bot'])
export const SubmissionResult = z.enum([...resultsByKind.flag, ...resultsByKind.admin_bot])
export const SubmissionSort = z.enum(['createdAt', 'challenge', 'team', 'ip', 'kind', 'result'])
export const SubmitterStatus = z.enum(['banned', 'not_banned'])

/** The category name of a deleted challenge and the division name of a deleted team. */
export const GONE_CATEGORY = 'deleted'
export const GONE_DIVISION = 'unknown'

export const AuditRow = z.object({
  id: z.string(),
  kind: SubmissionKind,
  challengeId: z.string(),
  challengeName: z.string(),
  challengeCategory: z.string(),
  userId: z.string(),
  userName: z.string(),
  userDivision: z.string(),
  userAvatarUrl: z.string().nullable(),
  userCountryCode: z.string().nullable(),
  userStatusText: z.string().nullable(),
  userBanned: z.boolean(),
  person: ActingPerson.optional(),
  apiToken: ActingToken.optional(),
  ip: z.string(),
  result: SubmissionResult,
  details: z.record(z.string(), z.unknown()),
  cheatedFromId: z
    .string()
    .nullable()
    .describe(
      "The team that the flag belongs to, if it is another team's; its current name, or its id if it was deleted.",
    ),
  cheatedFromName: z.string().nullable(),
  relatedId: z.string().nullable().describe('The solve of a correct flag, the job of a queued one.'),
  createdAt: z.iso.datetime(),
})

export const goodAdminSubmissions = reply(
  200,
  'goodAdminSubmissions',
  'Submissions.',
  z.object({ total: z.int(), submissions: z.array(AuditRow) }),
)

const AuditQuery = AdminPage.extend({
  sortBy: SubmissionSort.default('createdAt').describe('Field of the order.'),
  sortOrder: SortOrder.default('desc'),
  challengeSearch: AdminSearch.optional(),
  teamSearch: AdminSearch.optional(),
})

const AuditFilter = z
  .object({
    challenge: filterOf(ChallengeId),
    team: filterOf(TeamId),
    person: filterOf(PersonId).describe('Who of the team it was. A Pennant extension.'),
    kind: filterOf(SubmissionKind),
    result: filterOf(SubmissionResult),
    teamStatus: filterOf(SubmitterStatus),
    category: filterOf(z.string()),
    division: filterOf(z.string()),
    ip: filterOf(z.string().max(64)).describe('As the audit shows it. A Pennant extension.'),
    createdAfter: Timestamp.optional(),
    createdBefore: Timestamp.optional(),
  })
  .refine(
    ({ createdAfter, createdBefore }) =>
      createdAfter === undefined ||
      createdBefore === undefined ||
      parseTimestamp(createdAfter) < parseTimestamp(createdBefore),
    { path: ['createdAfter'], error: 'must be earlier than createdBefore' },
  )

const audit = {
  compatible: true,
  path: '/api/v2/admin/submissions',
  perms: ['challsRead', 'usersWrite'],
  orPerms: ['fairPlay'],
  scope: 'organise:read',
  query: AuditQuery,
} as const

export const listSubmissions = organiserRoute({
  ...audit,
  method: 'GET',
  summary: 'A page of all submissions. Searches look in names of teams, and in names and categories.',
  replies: [goodAdminSubmissions],
})

export const filterSubmissions = organiserRoute({
  ...audit,
  method: 'POST',
  summary: 'A page of the submissions that pass the filters.',
  body: AuditFilter,
  publicDemo: true,
  bodyCap: 'admin',
  replies: [goodAdminSubmissions],
})

export const adminSubmissionRouteList = [listSubmissions, filterSubmissions] as const
