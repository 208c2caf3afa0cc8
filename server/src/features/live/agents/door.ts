import type { McpServer } from '@modelcontextprotocol/server'
import type { Foreign } from '../../../http/response/foreign.ts'

/**
 * Hands one message of an agent to a new server, and returns what it says. Without sessions: any replica takes the next
 * message. Speaks the revision of 2026 and those before it.
 */
export async function answerAgent(
  message: unknown,
  headers: Headers,
  open: () => McpServer,
): Promise<Foreign> {
  const sdk = await import('@modelcontextprotocol/server')
  const url = 'http://localhost/api/mcp'
  // What it accepts does not matter: responses are always one JSON document.
  headers.set('accept', 'application/json, text/event-stream')
  headers.set('content-type', 'application/json')
  const request = new Request(url, { method: 'POST', headers, body: JSON.stringify(message) })
  if (!(await sdk.isLegacyRequest(request, message))) {
    const handler = sdk.createMcpHandler(open, { legacy: 'reject', maxSubscriptions: 0 })
    try {
      return await asForeign(await handler.fetch(request, { parsedBody: message }))
    } finally {
      await handler.close()
    }
  }
  const server = open()
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await asForeign(await transport.handleRequest(request, { parsedBody: message }))
  } finally {
    await server.close()
  }
}

async function asForeign(response: Response): Promise<Foreign> {
  const body = Buffer.from(await response.arrayBuffer())
  return { kind: 'foreign', status: response.status, type: response.headers.get('content-type'), body }
}
