import { limitsOf } from './limits.ts'
import * as shared from './replies.ts'
import { isInPublicDemo } from './public-demo.ts'
import type { AnyReply, Route } from './route.ts'

/**
 * All replies of a route: its own first, then those that the request pipeline adds, derived from the route's
 * data.
 */
export function declaredReplies(route: Route): readonly AnyReply[] {
  const kinds = new Map<string, AnyReply>()
  for (const reply of [...route.replies, ...implied(route)]) {
    if (!kinds.has(reply.kind)) kinds.set(reply.kind, reply)
  }
  return [...kinds.values()]
}

function implied(route: Route): AnyReply[] {
  // API tokens have a limit on every route.
  const limited = limitsOf(route).length || route.scope ? [shared.badRateLimit] : []
  const refused = isInPublicDemo(route) ? [] : [shared.badPublicDemo]
  return [
    ...refused,
    ...ofCaller(route),
    ...limited,
    ...ofRequest(route),
    shared.errorInternal,
    shared.errorUnavailable,
  ]
}

function ofCaller({ auth, perms, notBanned, gate, scope, needsAcceptance, shows = [] }: Route): AnyReply[] {
  const replies: AnyReply[] = []
  // Without service tokens in the configuration the route does not exist.
  if (auth === 'service') replies.push(shared.badEndpoint)
  if (auth === 'signature') replies.push(shared.badSignature)
  if (auth === 'service' || auth === 'required' || auth === 'person') replies.push(shared.badToken)
  if (auth === 'required') replies.push(shared.badNoTeam)
  if (auth === 'person') replies.push(shared.badNoPerson)
  if (scope !== undefined) replies.push(shared.badScope)
  if (notBanned || (scope === null && auth === 'required') || (perms && perms.length > 0))
    replies.push(shared.badPerms)
  if (perms && perms.length > 0) replies.push(shared.badSecondFactor)
  if (shows.length > 0) replies.push(shared.badToken, shared.badNoTeam, shared.badVisibility)
  if (needsAcceptance) replies.push(shared.badPagesNotAccepted)
  if (gate) replies.push(shared.badNotStarted)
  if (gate?.beforeEnd) replies.push(shared.badEnded)
  return replies
}

function ofRequest({ params, query, body, form, bodyCap, captcha, unwrapped }: Route): AnyReply[] {
  const replies: AnyReply[] = []
  // A form of another protocol is refused in the words of that protocol.
  const ownForm = unwrapped === 'errors' ? undefined : form
  if (params || query || body || ownForm) replies.push(shared.badBody)
  if (body) replies.push(shared.badJson)
  // An avatar that is too large has its own reply: docs/reference/requests-and-responses.md#body-size-limits
  if ((body || form) && bodyCap !== 'avatar') replies.push(shared.badBodySize)
  if (captcha?.field === 'captchaCode') replies.push(shared.badCaptcha)
  if (captcha?.field === 'legacyCaptchaCode') replies.push(shared.badLegacyCaptchaCode)
  return replies
}
