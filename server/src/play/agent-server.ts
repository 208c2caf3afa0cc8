import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { announcementsTool } from './announcements.ts'
import { listTool, readTool } from './challenges.ts'
import { MARKING, marked } from './marked.ts'
import { pageTool } from './pages.ts'
import { eventTool } from './standing.ts'
import type { Outcome, PlaySite, PlayTool } from './tool.ts'
import { playTools } from './tools.ts'

const INSTRUCTIONS = [
  'Plays a capture-the-flag event for one team, with the rights of the token that it was given.',
  'Read the tool event and the pages of rules first: they say whether and how agents may take part.',
  MARKING,
  'A refusal that says when to come back means that long: asking earlier is refused again.',
].join('\n')

/** A Model Context Protocol server with all tools of a team: docs/reference/agents.md */
export function createAgentServer(site: PlaySite, version: string): McpServer {
  const server = new McpServer({ name: 'pennant', title: 'Pennant', version }, { instructions: INSTRUCTIONS })
  for (const tool of playTools) addTool(server, site, tool)
  addResource(server, site, { tool: eventTool, uri: 'pennant://event' })
  addResource(server, site, { tool: listTool, uri: 'pennant://challenges' })
  addResource(server, site, { tool: announcementsTool, uri: 'pennant://announcements' })
  addTemplate(server, site, { tool: readTool, uri: 'pennant://challenges/{challenge}' })
  addTemplate(server, site, { tool: pageTool, uri: 'pennant://pages/{page}' })
  return server
}

function addTool(server: McpServer, site: PlaySite, tool: PlayTool): void {
  const { name, title, description, input, isRead } = tool
  const annotations = { readOnlyHint: isRead, destructiveHint: false, openWorldHint: false }
  server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given) => {
    const { parts, isRefused = false } = await tool.run(site, given)
    return { content: [{ type: 'text', text: marked(parts) }], isError: isRefused }
  })
}

interface Resource {
  readonly tool: PlayTool
  readonly uri: string
}

function addResource(server: McpServer, site: PlaySite, { tool, uri }: Resource): void {
  const { name, title, description } = tool
  server.registerResource(name, uri, { title, description, mimeType: 'text/plain' }, async () =>
    contents(uri, await tool.run(site, {})),
  )
}

function addTemplate(server: McpServer, site: PlaySite, { tool, uri }: Resource): void {
  const { name, title, description } = tool
  const template = new ResourceTemplate(uri, { list: undefined })
  server.registerResource(
    name,
    template,
    { title, description, mimeType: 'text/plain' },
    async (address, given) => {
      const decoded = Object.entries(given).map(
        ([key, value]) => [key, decodeURIComponent(String(value))] as const,
      )
      return contents(address.href, await tool.run(site, Object.fromEntries(decoded)))
    },
  )
}

function contents(uri: string, { parts, isRefused }: Outcome) {
  const text = marked(parts)
  if (isRefused) throw new Error(text)
  return { contents: [{ uri, mimeType: 'text/plain', text }] }
}
