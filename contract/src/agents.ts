import { z } from 'zod'
import { badPerms, badRateLimit } from './replies.ts'
import { reply, route } from './route.ts'

// The Model Context Protocol for agents that play for a team: docs/reference/agents.md

/** Agents send files of nothing: a flag, a question and inputs of an admin bot are far smaller. */
const MAX_MESSAGE_BYTES = 192 * 1024

export const AGENT_PATH = '/api/mcp'

export const goodAgentMessage = reply(
  200,
  'goodAgentMessage',
  'A message of the Model Context Protocol.',
  z.unknown(),
)
export const badAgentMessage = reply(
  400,
  'badAgentMessage',
  'No message of the protocol, or of a revision that is not spoken here.',
  z.looseObject({ error: z.looseObject({ code: z.number(), message: z.string() }) }),
)
export const badAgentMethod = reply(
  405,
  'badAgentMethod',
  'This server opens no stream of its own. Send messages with POST.',
)

const door = { path: AGENT_PATH, auth: 'required', scope: 'read' } as const

export const sendAgentMessage = route({
  ...door,
  method: 'POST',
  summary:
    'A message of an agent, in the Model Context Protocol over streamable HTTP, without sessions. Each tool also needs the scope of its route.',
  notBanned: true,
  body: z.looseObject({}).meta({ 'x-maxBytes': MAX_MESSAGE_BYTES }),
  unwrapped: 'errors',
  limits: ['agentCalls'],
  replies: [goodAgentMessage, badAgentMessage, badPerms, badRateLimit],
})

export const openAgentStream = route({
  ...door,
  method: 'GET',
  summary: 'Refused: agents send messages, and this server sends none of its own.',
  shows: [],
  limits: ['teamReads'],
  replies: [badAgentMethod],
})

export const agentRouteList = [sendAgentMessage, openAgentStream] as const
