import { z } from 'zod'
import { CustomField, EligibilityRule, FieldId, SentAnswers } from './custom-field-schemas.ts'
import { eligibilityLimits } from './eligibility.ts'
import { TeamId, UnixMs } from './fields.ts'
import { MAX_ADMIN_LIMIT } from './filters.ts'
import { badUnknownUser } from './replies.ts'
import { organiserRoute, reply, route, type Route } from './route.ts'

// Answers to fields of the organisers, and eligibility: docs/reference/fields.md. The definitions are settings.

const Problem = z.enum(['missing', 'unknown', 'text', 'choice', 'number', 'date', 'country', 'consent'])

export const badFieldAnswers = reply(
  400,
  'badFieldAnswers',
  'Answers that the organisers ask for are missing or not valid. Register on the site of the event, or send them as `fields`.',
  z.object({
    problems: z.array(
      z.object({
        field: z.string(),
        label: z.string(),
        problem: Problem.describe(
          '`missing`, `unknown`, or the kind of the field that the answer does not fit.',
        ),
      }),
    ),
  }),
)

const StoredAnswers = z.record(z.string(), z.string()).describe('By field.')
const Result = z.enum(['eligible', 'not', 'unknown'])

const Reason = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('condition'),
    condition: z.int().describe('Its position in the rule, from 0.'),
    result: z.enum(['not', 'unknown']),
    people: z.int().optional().describe('How many people of the team it is about.'),
  }),
  z.object({ kind: z.literal('people'), condition: z.int() }).describe('The team has no people.'),
  z
    .object({ kind: z.literal('answers'), team: z.boolean(), people: z.int() })
    .describe('Required answers are missing: of the team, or of some people.'),
])

const Decision = z.object({
  result: z.enum(['eligible', 'not']),
  reason: z.string(),
  decidedAt: UnixMs,
  decidedBy: z.string().nullable().describe('Name of the team of the organiser; null if it was deleted.'),
})

export const TeamEligibility = z.object({
  rule: z.string(),
  result: Result.describe('After the decision of an organiser, if there is one.'),
  reasons: z.array(Reason),
  decision: Decision.omit({ decidedBy: true }).nullable(),
})

const AdminEligibility = TeamEligibility.extend({ decision: Decision.nullable() })

export const goodFields = reply(
  200,
  'goodFields',
  'Fields and rules of the organisers.',
  z.object({ fields: z.array(CustomField), eligibility: z.array(EligibilityRule) }),
)
const missing = z.array(z.string()).describe('Required fields without an answer.')
export const goodTeamAnswers = reply(
  200,
  'goodTeamAnswers',
  'Answers of your team.',
  z.object({
    answers: StoredAnswers,
    missing,
    mayAnswer: z.array(z.string()).describe('Fields of the team that the caller may answer.'),
    people: z
      .array(z.object({ id: z.string(), name: z.string(), answers: StoredAnswers }))
      .describe('People of the team with the answers that others of the team see.'),
    eligibility: z.array(TeamEligibility),
  }),
)
export const goodPersonAnswers = reply(
  200,
  'goodPersonAnswers',
  'Your own answers.',
  z.object({ answers: StoredAnswers, missing }),
)
export const goodProfileAnswers = reply(
  200,
  'goodProfileAnswers',
  'Answers that everyone sees.',
  z.object({
    answers: z.array(
      z.object({
        field: z.string(),
        values: z.array(z.string()).describe('One for a team; of people each value once, without names.'),
      }),
    ),
  }),
)

export const listFields = route({
  method: 'GET',
  path: '/api/v2/fields',
  summary: 'What the organisers ask teams and people for, and the rules of eligibility.',
  auth: 'public',
  shows: [],
  limits: ['publicReads'],
  replies: [goodFields],
})

const ofTeam = { path: '/api/v2/users/me/fields', auth: 'required', scope: null } as const
const Sent = z.object({ fields: SentAnswers.describe('Absent ones stay; an empty text clears the answer.') })

export const readTeamAnswers = route({
  ...ofTeam,
  method: 'GET',
  shows: [],
  summary: "Answers of the caller's team and what is missing, and its eligibility with reasons.",
  limits: ['teamReads'],
  replies: [goodTeamAnswers],
})

export const writeTeamAnswers = route({
  ...ofTeam,
  method: 'PUT',
  summary: "Answers fields for the caller's team: all of them or none.",
  body: Sent,
  limits: ['teamWrites'],
  replies: [goodTeamAnswers, badFieldAnswers],
})

const ofPerson = { path: '/api/v2/people/me/fields', auth: 'person', scope: null } as const

export const readPersonAnswers = route({
  ...ofPerson,
  method: 'GET',
  shows: [],
  summary: "The caller's own answers, and what is missing.",
  limits: ['personCalls'],
  replies: [goodPersonAnswers],
})

export const writePersonAnswers = route({
  ...ofPerson,
  method: 'PUT',
  summary: 'Answers fields for the caller: all of them or none.',
  body: Sent,
  limits: ['personChanges'],
  replies: [goodPersonAnswers, badFieldAnswers],
})

export const readProfileAnswers = route({
  method: 'GET',
  path: '/api/v2/users/:id/fields',
  summary: 'Answers of a team and of its people that everyone sees.',
  auth: 'public',
  scope: 'read',
  gate: { started: 'challsRead' },
  shows: ['profiles'],
  params: z.object({ id: TeamId }),
  limits: ['publicReads'],
  replies: [goodProfileAnswers, badUnknownUser],
})

const Consent = z.object({
  field: z.string(),
  version: z.int(),
  at: UnixMs,
  person: z.string().nullable().describe('Id of the person who accepted it, if known.'),
})
const OwnerAnswers = z.object({
  id: z.string(),
  answers: StoredAnswers,
  missing,
  consents: z.array(Consent).describe('Every version that was accepted, oldest first.'),
})

export const goodAdminFields = reply(
  200,
  'goodAdminFields',
  'Fields, and how many answers they have.',
  z.object({
    fields: z.array(CustomField),
    eligibility: z.array(EligibilityRule),
    answers: z.record(z.string(), z.int()).describe('Stored answers by field; without those that have none.'),
  }),
)
export const goodAdminAnswers = reply(
  200,
  'goodAdminAnswers',
  'Answers of teams and people.',
  z.object({
    teams: z.array(OwnerAnswers.extend({ eligibility: z.array(AdminEligibility) })),
    people: z.array(OwnerAnswers),
  }),
)
export const goodAdminAnswersUpdate = reply(
  200,
  'goodAdminAnswersUpdate',
  'The answers were saved.',
  z.object({ owner: OwnerAnswers }),
)
export const badFieldOwner = reply(404, 'badFieldOwner', 'No such team or person.')
export const goodEligibilityDecision = reply(
  200,
  'goodEligibilityDecision',
  'The decision was saved.',
  z.object({ eligibility: AdminEligibility }),
)
export const badEligibilityRule = reply(
  404,
  'badEligibilityRule',
  'No such rule, or it is not about this team.',
)

export const readAdminFields = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/fields',
  perms: ['settingsWrite'],
  scope: 'organise:read',
  summary: 'The fields and rules that apply now, and how many answers are stored.',
  replies: [goodAdminFields],
})

const Ids = z.array(z.string().min(1).max(255)).max(MAX_ADMIN_LIMIT).default([])

export const listAnswers = organiserRoute({
  method: 'POST',
  path: '/api/v2/admin/field-answers',
  perms: ['usersWrite'],
  scope: 'teams:read',
  summary: 'Answers and eligibility of the given teams and people. Unknown ids are left out.',
  body: z.object({ data: z.object({ teams: Ids, people: Ids }) }),
  bodyCap: 'admin',
  replies: [goodAdminAnswers],
})

export const updateAnswers = organiserRoute({
  method: 'PUT',
  path: '/api/v2/admin/field-answers/:of/:id',
  perms: ['usersWrite'],
  scope: 'teams:write',
  summary: 'Changes answers of a team or person. Consents are theirs alone.',
  params: z.object({ of: z.enum(['team', 'person']), id: z.string().min(1).max(255) }),
  body: z.object({ data: Sent }),
  bodyCap: 'admin',
  replies: [goodAdminAnswersUpdate, badFieldOwner, badFieldAnswers],
})

export const decideEligibility = organiserRoute({
  method: 'PUT',
  path: '/api/v2/admin/users/:id/eligibility/:rule',
  perms: ['usersWrite'],
  scope: 'teams:write',
  summary: 'Decides about the eligibility of a team instead of the rule, or lets the rule decide again.',
  params: z.object({ id: TeamId, rule: FieldId }),
  body: z.object({
    data: z.object({
      result: z.enum(['eligible', 'not']).nullable().describe('Null: as the rule decides.'),
      reason: z.string().trim().max(eligibilityLimits.reason).default('').describe('The team sees it.'),
    }),
  }),
  bodyCap: 'admin',
  replies: [goodEligibilityDecision, badUnknownUser, badEligibilityRule],
})

export const customFieldRouteList: readonly Route[] = [
  listFields,
  readTeamAnswers,
  writeTeamAnswers,
  readPersonAnswers,
  writePersonAnswers,
  readProfileAnswers,
  readAdminFields,
  listAnswers,
  updateAnswers,
  decideEligibility,
]
