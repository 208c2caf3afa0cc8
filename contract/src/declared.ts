import * as shared from './replies.ts'
import type { AnyReply, Route } from './route.ts'

/** All that a route may answer: its own replies first, then what the request pipeline adds by the route's data. */
export function declaredReplies(route: Route): readonly AnyReply[] {
  const kinds = new Map<string, AnyReply>()
  for (const reply of [...route.replies, ...implied(route)]) {
    if (!kinds.has(reply.kind)) kinds.set(reply.kind, reply)
  }
  return [...kinds.values()]
}

function implied(route: Route): AnyReply[] {
  return [...ofCaller(route), ...ofRequest(route), shared.errorInternal, shared.errorUnavailable]
}

function ofCaller({ auth, perms, notBanned, gate }: Route): AnyReply[] {
  const replies: AnyReply[] = []
  // A deployment without service tokens does not have the route.
  if (auth === 'service') replies.push(shared.badEndpoint)
  if (auth === 'signature') replies.push(shared.badSignature)
  if (auth === 'service' || auth === 'required') replies.push(shared.badToken)
  if (notBanned || (perms && perms.length > 0)) replies.push(shared.badPerms)
  if (gate) replies.push(shared.badNotStarted)
  if (gate?.beforeEnd) replies.push(shared.badEnded)
  return replies
}

function ofRequest({ params, query, body, form, bodyCap, captcha }: Route): AnyReply[] {
  const replies: AnyReply[] = []
  if (params || query || body || form) replies.push(shared.badBody)
  if (body) replies.push(shared.badJson)
  // Too large an avatar has a reply of its own (contract, participant 1.5).
  if ((body || form) && bodyCap !== 'avatar') replies.push(shared.badBodySize)
  if (captcha?.field === 'captchaCode') replies.push(shared.badCaptcha)
  if (captcha?.field === 'legacyCaptchaCode') replies.push(shared.badLegacyCaptchaCode)
  return replies
}
