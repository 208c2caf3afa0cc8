import * as contract from '@pennant/contract/messages.ts'
import { badPerms, badToken } from '@pennant/contract/replies.ts'
import { on } from '../handler.ts'
import type { MockTeam, MockThread, World } from '../world.ts'

const nameOf = (world: World, id: string) => ({ id, name: world.teams.get(id)?.name ?? id })

function sharedFields({ id, subject, challengeId, closed, messages }: MockThread) {
  const [first, last] = [messages[0], messages.at(-1)]
  return {
    id,
    subject,
    challengeId,
    closed,
    answered: last !== undefined && last.authorId !== null,
    createdAt: first?.createdAt ?? 0,
    lastMessageAt: last?.createdAt ?? 0,
  }
}

const textsOf = ({ messages }: MockThread) =>
  messages.map(({ authorId, content, createdAt }, at) => ({
    number: at + 1,
    fromTeam: authorId === null,
    content,
    createdAt,
  }))

function teamView(thread: MockThread) {
  const unread = thread.messages.slice(thread.read).filter(({ authorId }) => authorId !== null).length
  return { ...sharedFields(thread), unread }
}

function adminView(world: World, thread: MockThread) {
  const { teamId, challengeId, assigneeId, version } = thread
  return {
    ...sharedFields(thread),
    challengeName: (challengeId !== null && world.challenges.get(challengeId)?.name) || null,
    team: nameOf(world, teamId),
    assignee: assigneeId === null ? null : nameOf(world, assigneeId),
    version,
  }
}

const stateOf = (world: World, { banned }: MockTeam) =>
  banned ? ('banned' as const) : world.messageOptions.enabled ? ('open' as const) : ('off' as const)

const ownThreads = (world: World, team: MockTeam) => world.threads.filter(({ teamId }) => teamId === team.id)
const unreadOf = (world: World, team: MockTeam) =>
  ownThreads(world, team).reduce((sum, thread) => sum + teamView(thread).unread, 0)
const ownThread = (world: World, team: MockTeam, id: string) =>
  ownThreads(world, team).find((thread) => thread.id === id)

const list = on(contract.listMessageThreads, ({ world, team }) => {
  if (!team) return badToken()
  return contract.goodMessageThreads({
    threads: ownThreads(world, team).map(teamView),
    unread: unreadOf(world, team),
    state: stateOf(world, team),
  })
})

const read = on(contract.readMessageThread, ({ world, team, params: { id } }) => {
  if (!team) return badToken()
  const thread = ownThread(world, team, id)
  if (!thread) return contract.badMessageThread()
  return contract.goodMessageThread({
    thread: teamView(thread),
    messages: textsOf(thread),
    state: stateOf(world, team),
  })
})

const start = on(contract.startMessageThread, ({ world, team, body }) => {
  if (!team) return badToken()
  const createdAt = world.now()
  const thread: MockThread = {
    id: world.nextId('thread'),
    teamId: team.id,
    challengeId: body.challengeId ?? null,
    subject: body.subject,
    closed: false,
    assigneeId: null,
    version: 1,
    read: 1,
    messages: [{ authorId: null, content: body.content, createdAt }],
  }
  world.threads.unshift(thread)
  return contract.goodMessageSend({ thread: teamView(thread) })
})

const write = on(contract.writeMessage, ({ world, team, params: { id }, body: { content } }) => {
  if (!team) return badToken()
  const thread = ownThread(world, team, id)
  if (!thread) return contract.badMessageThread()
  if (thread.closed) return contract.badMessageThreadClosed()
  thread.messages.push({ authorId: null, content, createdAt: world.now() })
  thread.read = thread.messages.length
  thread.version += 1
  return contract.goodMessageSend({ thread: teamView(thread) })
})

const markRead = on(contract.markMessagesRead, ({ world, team, params: { id }, body: { number } }) => {
  if (!team) return badToken()
  const thread = ownThread(world, team, id)
  if (!thread) return contract.badMessageThread()
  thread.read = Math.max(thread.read, number)
  return contract.goodMessageRead({ unread: unreadOf(world, team) })
})

const isWaiting = (thread: MockThread) => !thread.closed && !sharedFields(thread).answered

function passes(thread: MockThread, filter: string, organiserId: string): boolean {
  if (filter === 'mine') return !thread.closed && thread.assigneeId === organiserId
  if (filter === 'unassigned') return isWaiting(thread) && thread.assigneeId === null
  if (filter === 'answered') return !thread.closed && !isWaiting(thread)
  if (filter === 'closed') return thread.closed
  return filter === 'all' || isWaiting(thread)
}

const queue = on(contract.listAdminMessageThreads, ({ world, team, query }) => {
  if (!team) return badToken()
  const { filter, challengeId, limit, offset } = query
  const count = (name: string) => world.threads.filter((row) => passes(row, name, team.id)).length
  const found = world.threads.filter(
    (row) => passes(row, filter, team.id) && (challengeId === undefined || row.challengeId === challengeId),
  )
  return contract.goodAdminMessageThreads({
    total: found.length,
    threads: found.slice(offset, offset + limit).map((row) => adminView(world, row)),
    counts: { open: count('open'), mine: count('mine'), unassigned: count('unassigned') },
  })
})

const readAdmin = on(contract.readAdminMessageThread, ({ world, params: { id } }) => {
  const thread = world.threads.find((row) => row.id === id)
  if (!thread) return contract.badMessageThread()
  const messages = textsOf(thread).map((message, at) => {
    const authorId = thread.messages[at]?.authorId ?? null
    return { ...message, author: authorId === null ? null : nameOf(world, authorId) }
  })
  const assignable = Array.from(world.teams.values())
    .filter(({ perms }) => perms !== 0)
    .map((each) => nameOf(world, each.id))
  return contract.goodAdminMessageThread({ thread: adminView(world, thread), messages, assignable })
})

const answer = on(contract.answerMessageThread, ({ world, team, params: { id }, body: { data } }) => {
  if (!team) return badToken()
  const thread = world.threads.find((row) => row.id === id)
  if (!thread) return contract.badMessageThread()
  const { assignee, version } = adminView(world, thread)
  if (version !== data.version) return contract.badMessageVersion({ version, assignee })
  if (assignee && assignee.id !== team.id) return contract.badMessageAssigned({ assignee })
  thread.messages.push({ authorId: team.id, content: data.content, createdAt: world.now() })
  thread.assigneeId = team.id
  thread.closed = data.close
  thread.version += 1
  return contract.goodAdminMessageUpdate({ thread: adminView(world, thread) })
})

const update = on(contract.updateMessageThread, ({ world, params: { id }, body: { data } }) => {
  const thread = world.threads.find((row) => row.id === id)
  if (!thread) return contract.badMessageThread()
  const { assignee, version } = adminView(world, thread)
  if (version !== data.version) return contract.badMessageVersion({ version, assignee })
  if (data.assigneeId !== undefined) thread.assigneeId = data.assigneeId
  if (data.closed !== undefined) thread.closed = data.closed
  thread.version += 1
  return contract.goodAdminMessageUpdate({ thread: adminView(world, thread) })
})

const readOptions = on(contract.readMessageOptions, ({ world }) =>
  contract.goodMessageOptions({ options: world.messageOptions }),
)

const updateOptions = on(contract.updateMessageOptions, ({ world, team, body: { data } }) => {
  if (!team?.perms) return badPerms()
  const { version } = world.messageOptions
  if (version !== data.version) return contract.badMessageVersion({ version, assignee: null })
  const given = Object.entries(data).filter(([, value]) => value !== undefined)
  world.messageOptions = { ...world.messageOptions, ...Object.fromEntries(given), version: version + 1 }
  return contract.goodMessageOptions({ options: world.messageOptions })
})

export const messageEndpoints = [
  list,
  read,
  start,
  write,
  markRead,
  queue,
  readAdmin,
  answer,
  update,
  readOptions,
  updateOptions,
]
