import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isForeignError } from '@pennant/contract/client.ts'
import { declaredReplies } from '@pennant/contract/declared.ts'
import type { AnyReply, Route } from '@pennant/contract/route.ts'

/**
 * Checks a response against the contract: a declared kind with its status and exactly the declared fields.
 * Response schemas are not applied in production, so the tests apply them to every response.
 */
export function checkResponse(route: Route, response: Pick<Response, 'ok' | 'status'>, body: unknown): void {
  const name = `${route.method} ${route.path}`
  if (route.text) return checkText(route, response, body)
  if (route.file !== undefined && response.ok) {
    recordReply(route, route.replies.find(({ status }) => status === response.status)?.kind ?? '')
    return
  }
  if (route.unwrapped && (response.ok || isForeignError(route, body))) {
    const good = route.replies.find(({ status }) => status === response.status)
    checkData(name, good, body)
    recordReply(route, good?.kind ?? '')
    return
  }
  const { kind, message, data, ...rest } = body as Record<string, unknown>
  const reply = declaredReplies(route).find((declared) => declared.kind === kind)
  if (!reply) throw new Error(`${name} answered ${response.status} with the undeclared kind ${String(kind)}`)
  if (response.status !== reply.status) throw new Error(`${name}: ${reply.kind} came with ${response.status}`)
  if (typeof message !== 'string' || Object.keys(rest).length > 0) {
    throw new Error(`${name}: the envelope is not kind, message and data: ${JSON.stringify(body)}`)
  }
  checkData(name, reply, data)
  recordReply(route, reply.kind)
}

/** The body of a response as `checkResponse` expects it. A file is not read. */
export function bodyIn(route: Route, { ok }: Pick<Response, 'ok'>, text: string): unknown {
  if (route.text) return text
  return route.file !== undefined && ok ? undefined : (JSON.parse(text) as unknown)
}

/** Without an envelope, only the status identifies the response. */
function checkText(route: Route, response: Pick<Response, 'status'>, body: unknown): void {
  const name = `${route.method} ${route.path}`
  const reply = declaredReplies(route).find(({ status }) => status === response.status)
  if (!reply) throw new Error(`${name} answered with the undeclared status ${response.status}`)
  if (reply.status === 200) checkData(name, reply, body)
  else if (body !== reply.message) throw new Error(`${name}: ${reply.kind} says ${String(body)}`)
  recordReply(route, reply.kind)
}

function checkData(name: string, reply: AnyReply | undefined, data: unknown): void {
  if (!reply?.data) {
    if (data !== undefined) throw new Error(`${name}: ${reply?.kind} has data that is not declared`)
    return
  }
  const parsed = reply.data.safeParse(data)
  if (!parsed.success) throw new Error(`${name}: ${reply.kind} is not as declared: ${parsed.error.message}`)
  // Parsing drops unknown fields, so a difference means an undeclared field.
  if (!isDeepStrictEqual(parsed.data, data)) {
    throw new Error(
      `${name}: ${reply.kind} has fields that are not declared: ${JSON.stringify(data).slice(0, 2000)}`,
    )
  }
}

const seen = new Set<string>()

/**
 * Records a response kind that a route returned; after a complete run the records are compared with the
 * contract.
 */
function recordReply(route: Route, kind: string): void {
  const folder = process.env['PENNANT_REPLY_COVERAGE']
  if (!folder) return
  const line = `${route.method} ${route.path} ${kind}\n`
  if (seen.has(line)) return
  seen.add(line)
  appendFileSync(join(folder, `${process.pid}.txt`), line)
}
