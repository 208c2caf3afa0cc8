import { z } from 'zod'
import { badUserPrivileged } from './admin-teams.ts'
import { TeamId, UnixMs } from './fields.ts'
import { badHandOver } from './people.ts'
import * as shared from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'

// What is stored about people and teams, and how it is erased: docs/reference/personal-data.md

const { badPerms, badToken, badUnknownUser } = shared

/** What personal data is stored for. Each has its purpose, its receivers and its time in the record of processing. */
export const personalDataCategories = [
  'account',
  'signIn',
  'play',
  'consent',
  'messages',
  'mail',
  'actions',
] as const
export const PersonalDataCategory = z.enum(personalDataCategories)

const Name = z.string().max(255).describe('The own name as it is shown, to confirm.')

export const goodPersonalData = reply(200, 'goodPersonalData', 'Personal data.')
export const goodPrivacy = reply(
  200,
  'goodPrivacy',
  'How personal data is kept.',
  z.object({
    controller: z.string().describe('Who is responsible, as the organisers write it; empty if they did not.'),
    eraseAt: UnixMs.nullable().describe('When addresses are erased; null if no time is set.'),
    erasesMessages: z.boolean(),
  }),
)
export const goodTeamErase = reply(
  200,
  'goodTeamErase',
  'The team was deleted.',
  z.object({
    isKept: z.boolean().describe('Its solves stay in the standings, under a name that says nothing.'),
  }),
)
export const goodPersonErase = reply(200, 'goodPersonErase', 'Your account was deleted.')
export const badConfirmation = reply(409, 'badConfirmation', 'The name is not the one of the account.')
export const badLastInTeam = reply(
  409,
  'badLastInTeam',
  'No one could sign in to your team any more, so it would be deleted with you.',
)

const RowCounts = z.record(z.string(), z.int()).describe('Table to number of rows.')

export const ProcessingRecord = z.object({
  controller: z.string(),
  retention: z.object({
    eraseAt: UnixMs.nullable(),
    erasesMessages: z.boolean(),
    preview: RowCounts.describe('Rows that would be erased now.'),
    run: z
      .object({ startedAt: UnixMs, finishedAt: UnixMs.nullable(), counts: RowCounts })
      .nullable()
      .describe('What the worker did since the time has come; null before.'),
  }),
  data: z
    .array(
      z.object({
        table: z.string(),
        category: PersonalDataCategory,
        columns: z.array(z.string()),
        of: z.array(z.enum(['team', 'person'])),
        deletion: z.enum(['deleted', 'erased', 'kept']).describe('When its team or person is deleted.'),
        retention: z.enum(['deleted', 'erased', 'kept']).describe('When the time to erase has come.'),
      }),
    )
    .describe('Every place where personal data is stored.'),
  receivers: z
    .array(
      z.object({
        kind: z.enum([
          'mail',
          'signIn',
          'files',
          'captcha',
          'analytics',
          'messages',
          'moderation',
          'ranking',
          'scores',
          'backups',
          'sites',
        ]),
        name: z.string(),
      }),
    )
    .describe('Services that the deployment uses.'),
  measures: z
    .array(z.enum(['https', 'database', 'redis', 'backups', 'encryptedBackups', 'localDatabase']))
    .describe('Properties of the deployment; the others are the same everywhere.'),
})
export const goodProcessingRecord = reply(
  200,
  'goodProcessingRecord',
  'Record of processing.',
  ProcessingRecord,
)

const JSON_FILE = 'application/json; charset=utf-8'

export const readPrivacy = route({
  method: 'GET',
  path: '/api/v2/privacy',
  summary: 'Who is responsible for personal data, and when it is erased.',
  auth: 'public',
  shows: [],
  limits: ['publicReads'],
  replies: [goodPrivacy],
})

export const downloadTeamData = route({
  method: 'GET',
  path: '/api/v2/users/me/personal-data',
  summary: "All that is stored about the caller's team, as one JSON file.",
  auth: 'required',
  scope: null,
  captainOnly: true,
  shows: [],
  secret: true,
  file: JSON_FILE,
  limits: ['accountChanges'],
  replies: [goodPersonalData, badPerms],
})

export const downloadPersonData = route({
  method: 'GET',
  path: '/api/v2/people/me/personal-data',
  summary: 'All that is stored about the caller, as one JSON file.',
  auth: 'person',
  scope: null,
  shows: [],
  secret: true,
  file: JSON_FILE,
  limits: ['personChanges'],
  replies: [goodPersonalData],
})

export const eraseOwnTeam = route({
  method: 'POST',
  path: '/api/v2/users/me/erase',
  summary:
    "Deletes the caller's team with its personal data. After it has solves, an anonymous row stays in the standings.",
  auth: 'required',
  scope: null,
  captainOnly: true,
  body: z.object({ name: Name }),
  limits: ['accountChanges'],
  replies: [goodTeamErase, badToken, badPerms, badConfirmation, badUserPrivileged],
})

export const eraseMe = route({
  method: 'POST',
  path: '/api/v2/people/me/erase',
  summary: 'Deletes the caller with all personal data. What the team did stays.',
  auth: 'person',
  scope: null,
  body: z.object({
    name: Name,
    withTeam: z
      .boolean()
      .default(false)
      .describe('Deletes the team as well, if no one else could sign in to it.'),
  }),
  limits: ['personChanges'],
  replies: [goodPersonErase, badToken, badConfirmation, badHandOver, badLastInTeam, badUserPrivileged],
})

export const eraseTeam = organiserRoute({
  method: 'POST',
  path: '/api/v2/admin/users/:id/erase',
  summary:
    'Deletes a team without permissions as it can itself: its solves stay, under a name that says nothing.',
  perms: ['usersWrite'],
  scope: 'teams:write',
  params: z.object({ id: TeamId }),
  replies: [goodTeamErase, badUnknownUser, badUserPrivileged],
})

export const readProcessingRecord = organiserRoute({
  method: 'GET',
  path: '/api/v2/admin/personal-data',
  summary: 'The record of processing, and what the next erasure will erase.',
  perms: ['settingsWrite', 'usersWrite'],
  scope: 'organise:read',
  replies: [goodProcessingRecord],
})

export const personalDataRouteList = [
  readPrivacy,
  downloadTeamData,
  downloadPersonData,
  eraseOwnTeam,
  eraseMe,
  eraseTeam,
  readProcessingRecord,
] as const
