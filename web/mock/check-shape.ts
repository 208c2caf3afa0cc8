import type { Route } from '@pennant/contract/route.ts'
import { expect } from 'vitest'

const IMPLIED = new Set(['badJson', 'badBody', 'badToken', 'badPerms', 'badEnded', 'badNotStarted'])

/** Checks that each response is one that the route declares, without extra fields. */
export function checkShape(route: Route, response: Response, body: unknown) {
  const name = `${route.method} ${route.path}`
  const [first] = route.replies
  if (route.unwrapped && response.ok) return expect(first?.data?.parse(body), name).toEqual(body)
  // A file has no envelope.
  if (route.file !== undefined && response.ok) return
  if (route.text && response.ok) return expect(first?.data?.parse(body), name).toEqual(body)
  const { kind, data } = body as { kind: string; data?: unknown }
  const reply = route.replies.find((entry) => entry.kind === kind)
  if (!reply) return expect(IMPLIED.has(kind) || kind.startsWith('error'), `${name}: ${kind}`).toBe(true)
  expect(response.status, name).toBe(reply.status)
  // Parsing drops unknown fields; the comparison detects them.
  const schema = reply.data
  if (!schema) return expect(data, name).toBeUndefined()
  expect(schema.parse(data), name).toEqual(data)
}
