import { z } from 'zod'
import { UnixMs } from './fields.ts'
import { AuthenticationResponse, badPasskeyResponse, goodPasskeyOptions } from './passkeys.ts'
import { badEndpoint, badSecondFactor, badToken } from './replies.ts'
import { reply, route, type Route } from './route.ts'

// Second factor of a session: docs/reference/people.md#second-factor

export const RECOVERY_CODES = 10

export const goodConfirmation = reply(
  200,
  'goodConfirmation',
  'The session has a second factor. Use this token from now on.',
  z.object({
    authToken: z.string().describe('Of the same session. The earlier token stays as it was.'),
    expiresAt: UnixMs,
  }),
)
export const goodRecoveryCodes = reply(
  200,
  'goodRecoveryCodes',
  'New recovery codes, which are shown only now. Earlier ones no longer work.',
  z.object({ codes: z.array(z.string()).max(RECOVERY_CODES).describe('Each works once.') }),
)
export const badRecoveryCode = reply(401, 'badRecoveryCode', 'The recovery code is wrong or used.')
export const badNoPasskey = reply(409, 'badNoPasskey', 'You have no passkey. Add one first.')

const own = { auth: 'person', scope: null, limits: ['personChanges'] } as const

export const startConfirmation = route({
  ...own,
  method: 'POST',
  path: '/api/v2/people/me/confirm',
  summary: 'Begin to confirm the session with a passkey of the caller.',
  secret: true,
  replies: [goodPasskeyOptions, badNoPasskey, badEndpoint],
})

export const confirmWithPasskey = route({
  ...own,
  method: 'POST',
  path: '/api/v2/people/me/confirm/passkey',
  summary: 'Give the session a second factor with the response of the authenticator.',
  secret: true,
  body: z.object({ response: AuthenticationResponse }),
  bodyCap: 'account',
  replies: [goodConfirmation, badPasskeyResponse, badToken, badEndpoint],
})

export const confirmWithCode = route({
  ...own,
  method: 'POST',
  path: '/api/v2/people/me/confirm/code',
  summary: 'Give the session a second factor with a recovery code, which works once.',
  secret: true,
  body: z.object({
    code: z
      .string()
      .max(64)
      .transform((text) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')),
  }),
  bodyCap: 'account',
  limits: ['signIns', 'recoveryCodes'],
  replies: [goodConfirmation, badRecoveryCode, badToken],
})

export const renewRecoveryCodes = route({
  ...own,
  method: 'POST',
  path: '/api/v2/people/me/recovery-codes',
  summary: 'Replace the recovery codes of the caller, whose session needs a second factor.',
  secret: true,
  replies: [goodRecoveryCodes, badSecondFactor],
})

export const secondFactorRouteList: readonly Route[] = [
  startConfirmation,
  confirmWithPasskey,
  confirmWithCode,
  renewRecoveryCodes,
]
