import { z } from 'zod'
import { TeamListFilter } from './admin-teams.ts'
import { TeamId, UnixMs } from './fields.ts'
import { AdminSearch } from './filters.ts'
import { badEndpoint } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'

// Mail of the organisers to teams and people: docs/reference/mailings.md

/** Characters of the texts, teams that are named one by one, stored mailings, and mails that wait at once. */
export const mailingLimits = { subject: 200, content: 20_000, teams: 1000, stored: 200, waiting: 200_000 }

/** Whether a mail is about the event itself. Only others can be unsubscribed from, and leave out who did. */
export const MailingTopic = z.enum(['event', 'other'])

/** Which addresses of a team: its own, of its people, or both. */
export const MailingAddresses = z.enum(['teams', 'people', 'both'])

export const MailingReceivers = TeamListFilter.extend({
  search: AdminSearch.optional().describe('Only teams that the list finds with it.'),
  ids: z
    .array(TeamId)
    .min(1)
    .max(mailingLimits.teams)
    .optional()
    .describe('Only these teams; with filters, those of them that pass.'),
  addresses: MailingAddresses,
}).describe('The filters of the list of teams; without any, all teams.')

const data = z.object({
  subject: z
    .string()
    .trim()
    .min(1)
    .max(mailingLimits.subject)
    .refine((text) => !/\p{Cc}/u.test(text), { error: 'must be one line' }),
  content: z
    .string()
    .trim()
    .min(1)
    .max(mailingLimits.content)
    .describe('Text. `{name}` becomes the name of the team or person.'),
  topic: MailingTopic,
  to: MailingReceivers,
})

export const Mailing = z.object({
  id: z.string(),
  subject: z.string(),
  content: z.string(),
  topic: MailingTopic,
  addresses: MailingAddresses,
  count: z.int().describe('Mails that it began with.'),
  waiting: z.int().describe('Mails that are not sent yet.'),
  failed: z.int().describe('Mails that could not be delivered.'),
  stopped: z.boolean(),
  createdAt: UnixMs,
  createdBy: z.string().nullable().describe('Name of the team; null if it was deleted.'),
})

const Preview = z.object({
  count: z.int().describe('Different addresses.'),
  withoutAddress: z.int().describe('Teams and people that have none.'),
  optedOut: z.int().describe('Addresses that unsubscribed; only with the topic `other`.'),
  minutes: z.int().describe('How long sending takes at the pace of `email.perMinute`.'),
  text: z.string().describe('The first mail.'),
  html: z.string(),
})

export const goodMailings = reply(
  200,
  'goodMailings',
  'Mailings.',
  z.object({ mailings: z.array(Mailing), perMinute: z.int() }),
)
export const goodMailingPreview = reply(200, 'goodMailingPreview', 'The preview.', Preview)
export const goodMailingCreate = reply(
  200,
  'goodMailingCreate',
  'The mails will be sent.',
  z.object({ mailing: Mailing }),
)
export const goodMailingTest = reply(
  200,
  'goodMailingTest',
  'The mail will be sent to you.',
  z.object({ address: z.string() }),
)
export const goodMailingStop = reply(
  200,
  'goodMailingStop',
  'What was not sent yet will not be sent.',
  z.object({ mailing: Mailing }),
)
export const goodUnsubscribe = reply(
  200,
  'goodUnsubscribe',
  'This address gets no more mail that is not about the event itself.',
)
export const badMailing = reply(404, 'badMailing', 'No such mailing.')
export const badMailingReceivers = reply(409, 'badMailingReceivers', 'No one would get this mail.')
export const badMailingChanged = reply(
  409,
  'badMailingChanged',
  'Another number of addresses would get this mail now. Look at the preview again.',
  z.object({ count: z.int() }),
)
export const badMailingCount = reply(
  409,
  'badMailingCount',
  'Too many mails would wait. Wait until some are sent, or stop a mailing.',
  z.object({ max: z.int() }),
)
export const badMailingAddress = reply(409, 'badMailingAddress', 'Your team has no email address.')
export const badUnsubscribeToken = reply(400, 'badUnsubscribeToken', 'This link is not valid.')

const mailings = { path: '/api/v2/admin/mailings', perms: ['usersWrite'], scope: 'teams:write' } as const

export const listMailings = organiserRoute({
  ...mailings,
  method: 'GET',
  summary: 'The newest mailings, and how far they are.',
  replies: [goodMailings, badEndpoint],
})

export const previewMailing = organiserRoute({
  ...mailings,
  method: 'POST',
  path: '/api/v2/admin/mailings/preview',
  summary: 'Who would get a mail, and the first one as it would be sent.',
  body: z.object({ data }),
  bodyCap: 'admin',
  replies: [goodMailingPreview, badEndpoint],
})

export const testMailing = organiserRoute({
  ...mailings,
  method: 'POST',
  path: '/api/v2/admin/mailings/test',
  summary: 'Sends the mail to the caller alone.',
  body: z.object({ data }),
  bodyCap: 'admin',
  limits: ['organiserJobs'],
  replies: [goodMailingTest, badMailingAddress, badEndpoint],
})

export const createMailing = organiserRoute({
  ...mailings,
  method: 'POST',
  summary: 'Sends a mail to teams and people, at the pace of the deployment.',
  body: z.object({
    data: data.extend({
      count: z.int().min(1).describe('As in the preview. If it is different now, nothing is sent.'),
    }),
  }),
  bodyCap: 'admin',
  limits: ['organiserJobs'],
  replies: [goodMailingCreate, badMailingReceivers, badMailingChanged, badMailingCount, badEndpoint],
})

export const stopMailing = organiserRoute({
  ...mailings,
  method: 'DELETE',
  path: '/api/v2/admin/mailings/:id',
  summary: 'Stops a mailing. What is sent stays sent.',
  params: z.object({ id: z.string().min(1).max(64) }),
  replies: [goodMailingStop, badMailing],
})

/** Mail programs call it with one click (RFC 8058), so it takes the token from the address and ignores the body. */
export const unsubscribe = route({
  method: 'POST',
  path: '/api/v2/mailings/unsubscribe',
  summary: 'Ends mail to an address that is not about the event itself.',
  auth: 'public',
  query: z.object({ token: z.string().min(1).max(2048).describe('From the link in the mail.') }),
  limits: ['signIns'],
  replies: [goodUnsubscribe, badUnsubscribeToken],
})

export const mailingRouteList = [
  listMailings,
  previewMailing,
  testMailing,
  createMailing,
  stopMailing,
  unsubscribe,
] as const
