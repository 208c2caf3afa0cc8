import { z } from 'zod'
import { ApiTokenName, badApiTokenCount, Scopes } from './api-tokens.ts'
import { MINUTE_MS, SECOND_MS } from './durations.ts'
import { UnixMs } from './fields.ts'
import { badRateLimit, badToken } from './replies.ts'
import { reply, route } from './route.ts'

// Sign-in of a program that has no browser: docs/reference/api-tokens.md#sign-in-of-a-program

/** How long a request waits for a person, and the pause between two polls of its program. */
export const deviceTimes = { lifeMs: 10 * MINUTE_MS, intervalMs: 5 * SECOND_MS }

/** No vowels, which could form words, and nothing that looks like something else: 34 bits. */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

const UserCode = z
  .string()
  .max(64)
  .trim()
  .toUpperCase()
  .regex(new RegExp(`^[${USER_CODE_LETTERS}]{4}[- ]?[${USER_CODE_LETTERS}]{4}$`), {
    error: 'must be a code such as BCDF-GHJK',
  })

const Secret = z.string().min(1).max(128)

const Granted = z.object({ name: z.string(), scopes: z.array(z.string()), expiresAt: UnixMs })

export const goodDeviceStart = reply(
  200,
  'goodDeviceStart',
  'Ask the person to open the address and to confirm the code.',
  z.object({
    deviceCode: z.string().describe('A secret: it becomes the API token once a person confirms.'),
    userCode: z.string(),
    url: z.string().describe('Where a person confirms. `?code=` and the code may follow.'),
    expiresAt: UnixMs,
    intervalMs: z.int().describe('Poll at most this often.'),
  }),
)
export const goodDeviceState = reply(
  200,
  'goodDeviceState',
  'State of the request.',
  z.object({
    state: z.enum(['pending', 'denied', 'confirmed']),
    granted: Granted.nullable().describe('Null unless it is confirmed.'),
  }),
)
export const goodDeviceEnd = reply(200, 'goodDeviceEnd', 'The token is invalid now.')
export const goodDeviceRequest = reply(
  200,
  'goodDeviceRequest',
  'The program that asks.',
  z.object({
    userCode: z.string(),
    name: z.string().describe('As the program calls itself.'),
    ip: z.string(),
    isSameAddress: z.boolean().describe('The program and the caller have one address.'),
    scopes: z.array(z.string()),
    requestedAt: UnixMs,
    tokenExpiresAt: UnixMs.describe('Unix milliseconds when the token would end.'),
  }),
)
export const goodDeviceConfirm = reply(200, 'goodDeviceConfirm', 'The program is signed in.', Granted)
export const goodDeviceDeny = reply(200, 'goodDeviceDeny', 'The program was refused.')
export const badDeviceCode = reply(404, 'badDeviceCode', 'The code is unknown, used or expired.')

const program = { auth: 'public', bodyCap: 'account', method: 'POST', secret: true } as const

export const startDeviceSignIn = route({
  ...program,
  path: '/api/v2/device-sign-in',
  summary: 'Begin the sign-in of a program: returns its secret code, and the code that a person confirms.',
  body: z.object({ name: ApiTokenName, scopes: Scopes }),
  limits: ['deviceRequests'],
  replies: [goodDeviceStart],
})

export const pollDeviceSignIn = route({
  ...program,
  path: '/api/v2/device-sign-in/state',
  summary: 'Whether a person has confirmed. The device code is the API token from then on.',
  body: z.object({ deviceCode: Secret }),
  limits: ['signIns'],
  handlerLimits: ['devicePolls'],
  replies: [goodDeviceState, badDeviceCode, badRateLimit],
})

export const endDeviceToken = route({
  ...program,
  path: '/api/v2/device-sign-in/end',
  summary: 'Revoke an API token by itself. The response is the same for unknown tokens.',
  body: z.object({ token: Secret }),
  limits: ['signIns'],
  replies: [goodDeviceEnd],
})

const person = {
  auth: 'required',
  scope: null,
  bodyCap: 'account',
  method: 'POST',
  secret: true,
  limits: ['deviceCodes'],
} as const

export const readDeviceRequest = route({
  ...person,
  path: '/api/v2/device-sign-in/info',
  summary: 'Which program asks with a code.',
  body: z.object({ userCode: UserCode }),
  replies: [goodDeviceRequest, badDeviceCode],
})

export const confirmDeviceRequest = route({
  ...person,
  path: '/api/v2/device-sign-in/confirm',
  summary: 'Sign the program in as the caller, with some or all of the scopes that it asked for.',
  body: z.object({ userCode: UserCode, scopes: Scopes }),
  replies: [goodDeviceConfirm, badDeviceCode, badToken, badApiTokenCount],
})

export const denyDeviceRequest = route({
  ...person,
  path: '/api/v2/device-sign-in/deny',
  summary: 'Refuse the program.',
  body: z.object({ userCode: UserCode }),
  replies: [goodDeviceDeny, badDeviceCode],
})

export const deviceSignInRouteList = [
  startDeviceSignIn,
  pollDeviceSignIn,
  endDeviceToken,
  readDeviceRequest,
  confirmDeviceRequest,
  denyDeviceRequest,
] as const
