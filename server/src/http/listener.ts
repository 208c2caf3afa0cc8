import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http'
import { badBody, badEndpoint } from '@pennant/contract/replies.ts'
import type { Log } from '../lib/log.ts'
import type { Overload } from './decide/overload.ts'
import type { Outcome } from './decide/pipeline.ts'
import { createResponder, type ResponderDeps } from './response/respond.ts'
import type { Target } from './decide/router.ts'
import { logRefusal, rendered } from './response/send.ts'
import { abortSlowBody } from './request/time-limits.ts'

export interface ListenerDeps extends ResponderDeps {
  readonly targetOf: (method: string, url: string) => Target | null
  /** If absent, no request is refused because of load. */
  readonly overload?: Overload
  /** Called for each rejected body that came too slowly. */
  readonly onBodyRefused?: (reason: 'late') => void
  /** Whether the Host header is that of the files origin, which serves nothing but files. */
  readonly isFilesHost?: (host: string | undefined) => boolean
  /** The requests with a body that have no complete response yet. */
  readonly unread: Set<IncomingMessage>
}

/** Answers every request: docs/decisions/0033-answer-every-request-through-one-listener.md */
export function createListener(deps: ListenerDeps): RequestListener {
  const { isFilesHost = () => false, targetOf, overload, unread, onBodyRefused } = deps
  const respond = createResponder(deps)
  const onLate = () => onBodyRefused?.('late')

  return (raw, response) => {
    overload?.arrived()
    const { headers, method = '', url = '' } = raw
    const isServed = !isFilesHost(headers.host) || url.startsWith('/uploads/')
    const target = isServed ? targetOf(method, url) : null
    const to = target?.to ?? null
    const hasBody = announcesBody(headers)
    if (hasBody) {
      unread.add(raw)
      response.on('close', () => unread.delete(raw))
      // A body that came with its headers has been read by then, and needs no timer.
      if (to?.body) setImmediate(abortSlowBody, raw, to.body.time, onLate)
    }
    respond({ raw, response, to, hasBody }, () => outcomeOf(raw, target, deps.log))
  }
}

function outcomeOf(raw: IncomingMessage, target: Target | null, log: Log): Outcome | Promise<Outcome> {
  const { headers, httpVersion } = raw
  const { host } = headers
  const isMalformed = host === undefined ? httpVersion === '1.1' : host.includes(',')
  if (isMalformed || !target) {
    const reply = isMalformed ? notWellFormed() : badEndpoint()
    logRefusal(log, { route: null, raw }, reply)
    return rendered({ route: null, raw, headers }, reply)
  }
  const { to, url, params, query, known } = target
  return to.respond({ route: to.route, raw, headers, url, params, query, known })
}

function announcesBody(headers: IncomingHttpHeaders): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers
  return length !== '0' || encoding !== undefined
}

export function notWellFormed() {
  return badBody({ reason: 'params:: the request is not well-formed HTTP' })
}
