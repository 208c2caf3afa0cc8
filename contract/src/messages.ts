import { z } from 'zod'
import { AdminPage } from './filters.ts'
import { ActingPerson, ActingToken, ChallengeId, TeamId, UnixMs } from './fields.ts'
import { badChallenge, badPerms, badUnknownUser } from './replies.ts'
import { organiserRoute, reply, route } from './route.ts'

// Private messages between a team and the organisers: docs/reference/messages.md

/**
 * Characters of the texts; threads that a team may have, open and in total; messages of a thread; canned answers; organisers
 * that a thread is offered for assignment to. A team's list is sent as a whole.
 */
export const messageLimits = {
  subject: 120,
  content: 4000,
  openThreads: 5,
  threads: 100,
  messages: 200,
  answers: 50,
  answerTitle: 80,
  assignable: 200,
}

const Subject = z.string().trim().min(1).max(messageLimits.subject)
/** Markdown. */
const Content = z.string().trim().min(1).max(messageLimits.content)
const ThreadId = z.string().min(1).max(64)
const Version = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)

/** Why the caller cannot write now: turned off, before the start, after the end, banned. `open`: it can. */
export const MessagesState = z.enum(['open', 'off', 'before', 'ended', 'banned'])

const shared = {
  id: z.string(),
  subject: z.string(),
  challengeId: z
    .string()
    .nullable()
    .describe('Null for a general question, and once the challenge is deleted.'),
  closed: z.boolean(),
  answered: z.boolean().describe('The latest message is from the organisers.'),
  createdAt: UnixMs,
  lastMessageAt: UnixMs,
}

/** A thread as its team sees it. Times are Unix milliseconds. */
export const MessageThread = z.object({ ...shared, unread: z.int() })

/** A message as the team sees it: which organiser wrote it is not shown, so `person` is of the team. */
export const TeamMessage = z.object({
  number: z.int().describe('Counts from 1 in each thread.'),
  fromTeam: z.boolean(),
  person: ActingPerson.optional(),
  apiToken: ActingToken.optional(),
  content: z.string(),
  createdAt: UnixMs,
})

const Named = z.object({ id: z.string(), name: z.string() })

export const AdminMessageThread = z.object({
  ...shared,
  challengeName: z.string().nullable(),
  team: Named,
  assignee: Named.nullable(),
  version: z.int().describe('Of the last change, including new messages.'),
})

export const AdminMessage = TeamMessage.extend({
  author: Named.nullable().describe(
    "The organiser who wrote it; null for the team's messages, and if the account was deleted.",
  ),
})

const CannedAnswer = z.object({
  title: z.string().trim().min(1).max(messageLimits.answerTitle),
  content: Content,
})

const options = {
  enabled: z.boolean(),
  beforeStart: z.boolean(),
  afterEnd: z.boolean(),
  answers: z.array(CannedAnswer).max(messageLimits.answers),
}

export const MessageOptions = z.object({ ...options, version: z.int() })

/** `open`: waits for an answer. `mine`: open or answered, and assigned to the caller. */
export const MessageFilter = z.enum(['open', 'mine', 'unassigned', 'answered', 'closed', 'all'])

export const goodMessageThreads = reply(
  200,
  'goodMessageThreads',
  'The threads of the own team.',
  z.object({ threads: z.array(MessageThread), unread: z.int(), state: MessagesState }),
)
export const goodMessageThread = reply(
  200,
  'goodMessageThread',
  'The thread.',
  z.object({ thread: MessageThread, messages: z.array(TeamMessage), state: MessagesState }),
)
export const goodMessageSend = reply(
  200,
  'goodMessageSend',
  'The message was sent.',
  z.object({ thread: MessageThread }),
)
export const goodMessageRead = reply(200, 'goodMessageRead', 'Noted as read.', z.object({ unread: z.int() }))
export const goodAdminMessageThreads = reply(
  200,
  'goodAdminMessageThreads',
  'Threads.',
  z.object({
    total: z.int(),
    threads: z.array(AdminMessageThread),
    counts: z
      .object({ open: z.int(), mine: z.int(), unassigned: z.int() })
      .describe('Of all threads that the caller may see, whatever the filter.'),
  }),
)
export const goodAdminMessageThread = reply(
  200,
  'goodAdminMessageThread',
  'The thread.',
  z.object({
    thread: AdminMessageThread,
    messages: z.array(AdminMessage),
    assignable: z.array(Named).describe('Who may answer it, by name.'),
  }),
)
export const goodAdminMessageUpdate = reply(
  200,
  'goodAdminMessageUpdate',
  'The thread was saved.',
  z.object({ thread: AdminMessageThread }),
)
export const goodMessageOptions = reply(
  200,
  'goodMessageOptions',
  'Options of the messages.',
  z.object({ options: MessageOptions }),
)
export const badMessageThread = reply(404, 'badMessageThread', 'No such thread.')
export const badMessagesClosed = reply(
  403,
  'badMessagesClosed',
  'Messages to the organisers are not open now.',
  z.object({ state: MessagesState }),
)
export const badMessageThreadClosed = reply(
  409,
  'badMessageThreadClosed',
  'The thread is closed. Start a new one.',
)
export const badMessageCount = reply(
  409,
  'badMessageCount',
  'There are too many. Wait for an answer, or close some first.',
  z.object({ max: z.int() }),
)
export const badMessageVersion = reply(
  409,
  'badMessageVersion',
  'Someone else has changed this in the meantime.',
  z.object({
    version: z.int(),
    assignee: Named.nullable().describe('Whom the thread is assigned to now.'),
  }),
)
export const badMessageAssigned = reply(
  409,
  'badMessageAssigned',
  'The thread is assigned to another organiser. Take it over first.',
  z.object({ assignee: Named }),
)

const own = {
  path: '/api/v2/messages',
  auth: 'required',
  scope: 'messages',
  ownTokenOnly: true,
  shows: [],
} as const
const ownThread = {
  ...own,
  path: '/api/v2/messages/:id',
  params: z.object({ id: ThreadId }),
} as const
const send = {
  method: 'POST',
  notBanned: true,
  bodyCap: 'json',
  limits: ['accountChanges'],
} as const

export const listMessageThreads = route({
  ...own,
  method: 'GET',
  summary: 'Threads of the own team with the organisers, newest first, and how much of it is unread.',
  limits: ['teamReads'],
  replies: [goodMessageThreads, badPerms],
})

export const readMessageThread = route({
  ...ownThread,
  method: 'GET',
  summary: 'A thread of the own team with all messages, oldest first.',
  limits: ['teamReads'],
  replies: [goodMessageThread, badPerms, badMessageThread],
})

export const startMessageThread = route({
  ...own,
  ...send,
  summary: 'Asks the organisers, in general or about a challenge that the team sees.',
  body: z.object({ subject: Subject, content: Content, challengeId: ChallengeId.optional() }),
  replies: [goodMessageSend, badMessagesClosed, badChallenge, badMessageCount],
})

export const writeMessage = route({
  ...ownThread,
  ...send,
  summary: 'Adds a message of the own team to a thread.',
  body: z.object({ content: Content }),
  replies: [goodMessageSend, badMessagesClosed, badMessageThread, badMessageThreadClosed, badMessageCount],
})

export const markMessagesRead = route({
  ...ownThread,
  path: '/api/v2/messages/:id/read',
  method: 'PUT',
  summary: 'Notes that the own team has read a thread up to a message.',
  body: z.object({ number: z.int().min(0).max(messageLimits.messages) }),
  bodyCap: 'json',
  limits: ['teamReads'],
  replies: [goodMessageRead, badPerms, badMessageThread],
})

// Handlers also require `usersWrite`, or `challsWrite` for threads about challenges.
const admin = {
  path: '/api/v2/admin/messages',
  auth: 'required',
  perms: ['challsRead'],
  scope: 'messages:answer',
} as const
const adminThread = {
  ...admin,
  path: '/api/v2/admin/messages/:id',
  params: z.object({ id: ThreadId }),
} as const
const changed = [badPerms, badMessageThread, badMessageVersion] as const

export const listAdminMessageThreads = organiserRoute({
  ...admin,
  method: 'GET',
  summary: 'The queue: threads that wait for an answer longest first, all others newest first.',
  query: AdminPage.extend({
    filter: MessageFilter.default('open').describe('Which threads.'),
    challengeId: ChallengeId.optional().describe('Only threads about it.'),
  }),
  replies: [goodAdminMessageThreads, badPerms],
})

export const readAdminMessageThread = organiserRoute({
  ...adminThread,
  method: 'GET',
  summary: 'A thread with all messages and who wrote them.',
  replies: [goodAdminMessageThread, badPerms, badMessageThread],
})

export const answerMessageThread = organiserRoute({
  ...adminThread,
  method: 'POST',
  summary: 'Answers; an unassigned thread is assigned to the caller.',
  body: z.object({
    data: z.object({ content: Content, version: Version, close: z.boolean().default(false) }),
  }),
  bodyCap: 'admin',
  replies: [goodAdminMessageUpdate, ...changed, badMessageAssigned, badMessageCount],
})

export const updateMessageThread = organiserRoute({
  ...adminThread,
  method: 'PUT',
  summary: 'Assigns a thread to an organiser, releases, closes or reopens it.',
  body: z.object({
    data: z.object({
      version: Version,
      assigneeId: TeamId.nullable().optional(),
      closed: z.boolean().optional(),
    }),
  }),
  bodyCap: 'admin',
  replies: [goodAdminMessageUpdate, ...changed, badUnknownUser],
})

const adminOptions = { ...admin, path: '/api/v2/admin/message-options' } as const

export const readMessageOptions = organiserRoute({
  ...adminOptions,
  method: 'GET',
  summary: 'When teams may write, and the canned answers.',
  replies: [goodMessageOptions, badPerms],
})

export const updateMessageOptions = organiserRoute({
  ...adminOptions,
  method: 'PUT',
  perms: ['usersWrite'],
  summary: 'Changes the options that are sent.',
  body: z.object({
    data: z.object({
      version: Version,
      enabled: options.enabled.optional(),
      beforeStart: options.beforeStart.optional(),
      afterEnd: options.afterEnd.optional(),
      answers: options.answers.optional().describe('Replaces all.'),
    }),
  }),
  bodyCap: 'admin',
  replies: [goodMessageOptions, badPerms, badMessageVersion],
})

export const messageRouteList = [
  listMessageThreads,
  readMessageThread,
  startMessageThread,
  writeMessage,
  markMessagesRead,
  listAdminMessageThreads,
  readAdminMessageThread,
  answerMessageThread,
  updateMessageThread,
  readMessageOptions,
  updateMessageOptions,
] as const
