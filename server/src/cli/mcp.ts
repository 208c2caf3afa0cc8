import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { readRelease } from '../lib/release.ts'
import { createAgentServer } from '../play/agent-server.ts'
import { openSite, type PlayCommand } from './play.ts'
import type { ProcessContext } from './process-context.ts'

/** `pennant mcp`: resolves when the agent closes standard input. */
export async function serveAgent(context: ProcessContext, command: PlayCommand): Promise<void> {
  const site = await openSite(context, command)
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  const handle = serveStdio(() => createAgentServer(site, readRelease().version))
  await ended
  await handle.close()
}
