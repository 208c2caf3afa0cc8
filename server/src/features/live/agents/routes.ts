import { openAgentStream, badAgentMethod, sendAgentMessage } from '@pennant/contract/agents.ts'
import { createClient } from '@pennant/contract/client.ts'
import { badPerms, badRateLimit } from '@pennant/contract/replies.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { InnerFetch } from '../../../http/inner.ts'
import { answerAgent } from './door.ts'

export interface AgentDeps {
  readonly innerFetch: InnerFetch
  readonly origin: string
  readonly version: string
}

/** Messages of one team that are worked on at the same time by one process. */
const MAX_AT_ONCE = 4
const RETRY_MS = 1000

/** The door for agents: docs/reference/agents.md */
export function agentRoutes({ innerFetch, origin, version }: AgentDeps): Endpoint[] {
  /** By team; without those that do nothing. */
  const working = new Map<string, number>()
  return [
    on(sendAgentMessage, async ({ team, body, incoming }) => {
      const { headers } = incoming
      // A page of another site has no business here, whatever token it has.
      if (headers.origin !== undefined && headers.origin !== origin) return badPerms()
      const atOnce = working.get(team.id) ?? 0
      if (atOnce >= MAX_AT_ONCE) return badRateLimit({ timeLeft: RETRY_MS })
      working.set(team.id, atOnce + 1)
      try {
        const { createAgentServer } = await import('../../../play/agent-server.ts')
        const fetch = innerFetch(incoming)
        const call = createClient({ baseUrl: '', fetch })
        return await answerAgent(body, protocolHeaders(headers), () =>
          createAgentServer({ call, origin }, version),
        )
      } finally {
        const left = (working.get(team.id) ?? 1) - 1
        if (left === 0) working.delete(team.id)
        else working.set(team.id, left)
      }
    }),
    on(openAgentStream, () => badAgentMethod()),
  ]
}

/** What the protocol says in headers. */
function protocolHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'))
  return new Headers(own.map(([name, value]) => [name, String(value)]))
}
