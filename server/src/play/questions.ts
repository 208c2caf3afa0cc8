import {
  listMessageThreads,
  messageLimits,
  readMessageThread,
  startMessageThread,
  writeMessage,
} from '@pennant/contract/messages.ts'
import { z } from 'zod'
import { ChallengeRef, findChallenge, inline } from './challenges.ts'
import { refusal } from './refusal.ts'
import { tool, type Part } from './tool.ts'

export const questionsTool = tool({
  name: 'read_questions',
  title: 'Read questions to the organisers',
  description: 'The threads of the team with the organisers, or the messages of one thread.',
  input: z.object({
    thread: z.string().min(1).max(64).optional().describe('Id of a thread; without it, all threads.'),
  }),
  isRead: true,
  async run(site, { thread: id }) {
    if (id === undefined) {
      const result = await site.call(listMessageThreads, {})
      if (result.kind !== 'goodMessageThreads') return refusal(result)
      const lines = result.data.threads.map(
        ({ id: threadId, subject, answered, closed, unread }) =>
          `${threadId}: ${inline(subject)}${unread > 0 ? `, ${unread} unread` : ''}${closed ? ', closed' : answered ? ', answered' : ''}`,
      )
      const parts =
        lines.length === 0 ? ['The team has asked nothing.'] : [{ by: 'the team', text: lines.join('\n') }]
      return { parts, data: { threads: result.data.threads, state: result.data.state } }
    }
    const result = await site.call(readMessageThread, { params: { id } })
    if (result.kind !== 'goodMessageThread') return refusal(result)
    const { thread, messages } = result.data
    const parts = messages.map(({ fromTeam, content }): Part => ({
      by: fromTeam ? 'the team' : 'the organisers',
      text: content,
    }))
    return {
      parts: [`Thread ${thread.id}${thread.closed ? ', closed' : ''}:`, ...parts],
      data: { thread, messages },
    }
  },
})

export const askTool = tool({
  name: 'ask_organisers',
  title: 'Ask the organisers',
  description:
    'Starts a thread with the organisers, who are people and volunteers, or adds a message to one. Ask only what the descriptions do not say.',
  input: z.object({
    content: z.string().trim().min(1).max(messageLimits.content),
    subject: z.string().trim().min(1).max(messageLimits.subject).optional().describe('Of a new thread.'),
    challenge: ChallengeRef.optional().describe('What a new thread is about.'),
    thread: z.string().min(1).max(64).optional().describe('Id of a thread, to add to it.'),
  }),
  isRead: false,
  async run(site, { content, subject, challenge: wanted, thread }) {
    if (thread !== undefined) {
      const result = await site.call(writeMessage, { params: { id: thread }, body: { content } })
      return result.kind === 'goodMessageSend' ? sent(result.data.thread.id) : refusal(result)
    }
    const found = wanted === undefined ? null : await findChallenge(site, wanted)
    if (found && 'refused' in found) return found.refused
    const about = found && { challengeId: found.challenge.id }
    const body = { subject: subject ?? content.slice(0, messageLimits.subject), content, ...about }
    const result = await site.call(startMessageThread, { body })
    return result.kind === 'goodMessageSend' ? sent(result.data.thread.id) : refusal(result)
  },
})

function sent(thread: string) {
  return { parts: [`Sent. The organisers answer in thread ${thread}.`], data: { thread } }
}
