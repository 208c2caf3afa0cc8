import { z } from 'zod'
import { FairPlaySignal, NamedTeam, badFairPlayVersion } from './fair-play.ts'
import { ChallengeId, TeamId, UnixMs } from './fields.ts'
import { AdminPage } from './filters.ts'
import { badMessageCount } from './messages.ts'
import { badPerms, badUnknownUser } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'

// Cases of fair play: docs/reference/fair-play.md#cases

export const caseLimits = {
  cases: 2000,
  teams: 8,
  notes: 200,
  text: 4000,
  solves: 100,
  /** Of one case, the latest ones. */
  timeline: 2000,
  signals: 200,
}

export const decisions = ['explained', 'watched', 'solveRemoved', 'banned', 'dismissed'] as const
export type Decision = (typeof decisions)[number]

const Text = z.string().trim().min(1).max(caseLimits.text)
const CaseId = z.string().min(1).max(64)
const Version = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
const Named = NamedTeam

const DecisionName = z.enum(decisions)

/** A case in the list. */
export const FairPlayCaseSummary = z.object({
  id: z.string(),
  number: z.int(),
  version: z.int(),
  teams: z.array(Named).max(caseLimits.teams),
  assignee: Named.nullable(),
  createdAt: UnixMs,
  decision: DecisionName.nullable().describe('Null while it is open.'),
  decidedAt: UnixMs.nullable(),
  appeals: z.int().describe('Appeals without an answer.'),
})

const TimelineEntry = z.object({
  kind: z.enum(['submission', 'receipt', 'instance', 'signal']),
  at: UnixMs,
  teamId: z.string(),
  challenge: Named.nullable(),
  detail: z.string().describe('Result of the submission, action on the instance, or kind of the signal.'),
})

export const FairPlayCase = FairPlayCaseSummary.extend({
  reason: z.string().nullable(),
  decidedBy: Named.nullable(),
  members: z
    .array(
      z.object({
        team: Named,
        concerned: z.boolean().describe('The decision is about it.'),
        appeal: z.string().nullable(),
        appealedAt: UnixMs.nullable(),
        ruling: z.string().nullable(),
        ruledAt: UnixMs.nullable(),
        messages: z.array(z.object({ fromTeam: z.boolean(), content: z.string(), createdAt: UnixMs })),
      }),
    )
    .max(caseLimits.teams),
  notes: z
    .array(z.object({ author: Named.nullable(), content: z.string(), at: UnixMs }))
    .max(caseLimits.notes),
  signals: z.array(FairPlaySignal).max(caseLimits.signals).describe('That name a team of the case.'),
  timeline: z.array(TimelineEntry).max(caseLimits.timeline).describe('Of all its teams, oldest first.'),
  isCut: z.boolean().describe('Older entries of the timeline were left out.'),
})

const OwnCase = z.object({
  id: z.string(),
  number: z.int(),
  decision: DecisionName,
  reason: z.string(),
  decidedAt: UnixMs,
  threadId: z.string().nullable(),
  mayAppeal: z.boolean(),
  appeal: z.string().nullable(),
  ruling: z.string().nullable(),
})

export const goodFairPlayCases = reply(
  200,
  'goodFairPlayCases',
  'Cases.',
  z.object({ total: z.int(), cases: z.array(FairPlayCaseSummary) }),
)
export const goodFairPlayCase = reply(200, 'goodFairPlayCase', 'The case.', z.object({ case: FairPlayCase }))
export const goodFairPlayReport = reply(
  200,
  'goodFairPlayReport',
  'The report.',
  z.object({ name: z.string(), markdown: z.string() }),
)
export const goodOwnFairPlay = reply(
  200,
  'goodOwnFairPlay',
  'Decisions about the own team.',
  z.object({ cases: z.array(OwnCase) }),
)
export const badFairPlayCase = reply(404, 'badFairPlayCase', 'No such case.')
export const badFairPlayCaseCount = reply(
  409,
  'badFairPlayCaseCount',
  'There are too many.',
  z.object({ max: z.int() }),
)
export const badFairPlayState = reply(
  409,
  'badFairPlayState',
  'The case is not in the state for this: it is decided already, still open, or has no appeal to answer.',
)
export const badFairPlayTarget = reply(
  409,
  'badFairPlayTarget',
  'A team or solve of the decision is not one of the case, or cannot be changed. Nothing was decided.',
)
export const badFairPlayUndo = reply(
  409,
  'badFairPlayUndo',
  'A team has solved a challenge again since. Delete that solve first. Nothing was undone.',
)
export const badFairPlayAppeal = reply(
  409,
  'badFairPlayAppeal',
  'There is nothing to appeal against, or the team has appealed already.',
)

const list = { path: '/api/v2/admin/fair-play/cases', perms: ['fairPlay'] } as const
const one = {
  ...list,
  path: '/api/v2/admin/fair-play/cases/:id',
  params: z.object({ id: CaseId }),
} as const
const writes = { scope: 'submissions:write', bodyCap: 'admin' } as const

export const listFairPlayCases = organiserRoute({
  ...list,
  method: 'GET',
  summary: 'A page of the cases: open ones and those with an appeal first, then the newest.',
  scope: 'organise:read',
  query: AdminPage,
  replies: [goodFairPlayCases],
})

export const createFairPlayCase = organiserRoute({
  ...list,
  ...writes,
  method: 'POST',
  summary: 'Opens a case about one or more teams. They do not learn of it.',
  body: z.object({ data: z.object({ userIds: z.array(TeamId).min(1).max(caseLimits.teams) }) }),
  replies: [goodFairPlayCase, badUnknownUser, badFairPlayCaseCount],
})

export const readFairPlayCase = organiserRoute({
  ...one,
  method: 'GET',
  summary: 'A case with what its teams did, notes and messages.',
  scope: 'organise:read',
  replies: [goodFairPlayCase, badFairPlayCase],
})

export const reportFairPlayCase = organiserRoute({
  ...one,
  path: '/api/v2/admin/fair-play/cases/:id/report',
  method: 'GET',
  summary: 'The case as Markdown for the jury, without addresses and planted flags.',
  scope: 'organise:read',
  replies: [goodFairPlayReport, badFairPlayCase],
})

export const assignFairPlayCase = organiserRoute({
  ...one,
  ...writes,
  method: 'PUT',
  summary: 'Assigns the case to an organiser with the permission, or releases it.',
  body: z.object({ data: z.object({ version: Version, assigneeId: TeamId.nullable() }) }),
  replies: [goodFairPlayCase, badFairPlayCase, badFairPlayVersion, badUnknownUser],
})

export const noteFairPlayCase = organiserRoute({
  ...one,
  ...writes,
  path: '/api/v2/admin/fair-play/cases/:id/notes',
  method: 'POST',
  summary: 'Adds a note, which only organisers read.',
  body: z.object({ data: z.object({ content: Text }) }),
  replies: [goodFairPlayCase, badFairPlayCase, badFairPlayCaseCount],
})

export const messageFairPlayTeam = organiserRoute({
  ...one,
  ...writes,
  path: '/api/v2/admin/fair-play/cases/:id/messages',
  method: 'POST',
  summary: 'Writes to a team of the case, in a thread of its messages.',
  body: z.object({ data: z.object({ userId: TeamId, content: Text }) }),
  replies: [goodFairPlayCase, badFairPlayCase, badUnknownUser, badMessageCount],
})

export const decideFairPlayCase = organiserRoute({
  ...one,
  ...writes,
  path: '/api/v2/admin/fair-play/cases/:id/decision',
  method: 'PUT',
  // Bans and removals need a person, not a program.
  scope: null,
  summary: 'Decides the case, and removes the solves or bans the teams that are sent.',
  body: z.object({
    data: z.object({
      version: Version,
      decision: DecisionName,
      reason: Text.describe('The teams that it is about read it.'),
      banned: z.array(TeamId).max(caseLimits.teams).default([]).describe('Only with `banned`.'),
      solves: z
        .array(z.object({ userId: TeamId, challengeId: ChallengeId }))
        .max(caseLimits.solves)
        .default([])
        .describe('Only with `solveRemoved` or `banned`.'),
    }),
  }),
  replies: [goodFairPlayCase, badFairPlayCase, badFairPlayVersion, badFairPlayState, badFairPlayTarget],
})

export const undoFairPlayDecision = organiserRoute({
  ...one,
  ...writes,
  path: '/api/v2/admin/fair-play/cases/:id/undo',
  method: 'POST',
  scope: null,
  summary: 'Takes the decision back, with its bans and removed solves. The case is open again.',
  body: z.object({ data: z.object({ version: Version }) }),
  replies: [goodFairPlayCase, badFairPlayCase, badFairPlayVersion, badFairPlayState, badFairPlayUndo],
})

export const ruleFairPlayAppeal = organiserRoute({
  ...one,
  ...writes,
  path: '/api/v2/admin/fair-play/cases/:id/ruling',
  method: 'PUT',
  summary: 'Answers the appeal of a team. A decision that was wrong is undone beside it.',
  body: z.object({ data: z.object({ userId: TeamId, ruling: Text }) }),
  replies: [goodFairPlayCase, badFairPlayCase, badFairPlayState],
})

// No API token, as for credentials: an appeal is up to people.
const own = { auth: 'required', scope: null, ownTokenOnly: true, shows: [] } as const

export const listOwnFairPlay = route({
  ...own,
  path: '/api/v2/fair-play',
  method: 'GET',
  summary: 'Decisions about the own team.',
  limits: ['teamReads'],
  replies: [goodOwnFairPlay, badPerms],
})

// A team that was banned may appeal.
export const appealFairPlay = route({
  ...own,
  path: '/api/v2/fair-play/:id/appeal',
  method: 'POST',
  params: z.object({ id: CaseId }),
  summary: 'Appeals once against a removed solve or a ban.',
  body: z.object({ content: Text }),
  bodyCap: 'json',
  limits: ['accountChanges'],
  replies: [goodOwnFairPlay, badPerms, badFairPlayCase, badFairPlayAppeal],
})

export const fairPlayCaseRouteList = [
  listFairPlayCases,
  createFairPlayCase,
  readFairPlayCase,
  reportFairPlayCase,
  assignFairPlayCase,
  noteFairPlayCase,
  messageFairPlayTeam,
  decideFairPlayCase,
  undoFairPlayDecision,
  ruleFairPlayAppeal,
  listOwnFairPlay,
  appealFairPlay,
] as const
