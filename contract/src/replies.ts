import { z } from 'zod'
import { reply } from './route.ts'
import { allScopes } from './scopes.ts'
import { visibleParts } from './visibility.ts'

// Replies that several routes share (docs/reference/requests-and-responses.md#error-kinds). A reply of one
// feature is in the file of that feature.

export const badBody = reply(
  400,
  'badBody',
  'The request did not pass validation.',
  z.object({ reason: z.string() }),
)
export const badJson = reply(400, 'badJson', 'The request body is not valid JSON.')
export const badBodySize = reply(
  413,
  'badBodySize',
  'The request body is too large.',
  z.object({ maxSize: z.int() }),
)
export const badSignature = reply(401, 'badSignature', 'The signature was not accepted.')
export const badToken = reply(401, 'badToken', 'The auth token is missing or invalid.')
export const badNoTeam = reply(403, 'badNoTeam', 'You are not in a team yet.')
export const badNoPerson = reply(
  403,
  'badNoPerson',
  'This needs the session of a person, not the token of a team.',
)
export const badPerms = reply(403, 'badPerms', 'This team may not do that.')
export const badSecondFactor = reply(
  403,
  'badSecondFactor',
  'This needs a second factor: sign in as a person, and confirm with a passkey or a recovery code.',
)
export const badScope = reply(
  403,
  'badScope',
  'The API token lacks the scope of this request.',
  z.object({
    scope: z.enum(allScopes).nullable().describe('What it lacks; null: no API token may do this.'),
  }),
)
export const badVisibility = reply(
  403,
  'badVisibility',
  'This part of the event is not open to your team. Ask the organisers.',
  z.object({ part: z.enum(visibleParts) }),
)
export const badPublicDemo = reply(
  403,
  'badPublicDemo',
  'This is a public demo: nothing can be changed here.',
)
export const badNotStarted = reply(401, 'badNotStarted', 'The event has not started.')
export const badEnded = reply(401, 'badEnded', 'The event is over.')
export const badRateLimit = reply(
  429,
  'badRateLimit',
  'Too many attempts, wait a moment.',
  z.object({ timeLeft: z.int().min(1) }),
)
export const badEndpoint = reply(404, 'badEndpoint', 'No such endpoint, or it is not enabled here.')
export const errorInternal = reply(500, 'errorInternal', 'Something went wrong on the server.')
export const errorUnavailable = reply(
  503,
  'errorUnavailable',
  'The service is temporarily unavailable. Try again shortly.',
)
export const badCaptcha = reply(403, 'badCaptcha', 'The captcha was not accepted.')
export const badLegacyCaptchaCode = reply(401, 'badLegacyCaptchaCode', 'The captcha was not accepted.')
export const badEmail = reply(400, 'badEmail', 'The email address is malformed.')
export const badName = reply(400, 'badName', 'Names are 2 to 64 printable ASCII characters.')
export const badKnownName = reply(409, 'badKnownName', 'Another team has this name.')
export const badKnownEmail = reply(409, 'badKnownEmail', 'This email is already in use.')
export const badUnknownUser = reply(404, 'badUnknownUser', 'No such team.')
export const badPagesNotAccepted = reply(
  403,
  'badPagesNotAccepted',
  'Your team has to accept the rules of the event first.',
  z.object({
    pages: z
      .array(z.object({ slug: z.string(), version: z.int() }))
      .describe('Pages to accept, in their current version.'),
  }),
)
export const badChallenge = reply(404, 'badChallenge', 'No such challenge.')
