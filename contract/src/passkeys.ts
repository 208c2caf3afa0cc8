import { z } from 'zod'
import { badEndpoint, badSecondFactor } from './replies.ts'
import { reply, route, type Route } from './route.ts'
import { badLastWay, goodPersonSignIn, goodWayRemoved, Passkey } from './sign-in.ts'

// Passkeys of people: docs/reference/people.md#passkeys

export const passkeyLimits = { stored: 10, name: 64 }

export const PasskeyName = z
  .string()
  .meta({ maxLength: 2 * passkeyLimits.name })
  .transform((text) => text.trim().normalize('NFC'))
  .refine((text) => text.length <= passkeyLimits.name && /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(text), {
    error: `must be 1 to ${passkeyLimits.name} printable characters`,
  })

export const goodPasskeyOptions = reply(
  200,
  'goodPasskeyOptions',
  'Ask the authenticator.',
  z.object({
    options: z
      .record(z.string(), z.unknown())
      .describe(
        'For `navigator.credentials`, as JSON (`parseCreationOptionsFromJSON`, `parseRequestOptionsFromJSON`). The challenge works once, for five minutes.',
      ),
  }),
)
export const goodPasskeyAdd = reply(200, 'goodPasskeyAdd', 'The passkey was added.', Passkey)
export const goodPasskeyUpdate = reply(200, 'goodPasskeyUpdate', 'The passkey was renamed.')
export const badPasskeyResponse = reply(
  401,
  'badPasskeyResponse',
  'The passkey was not accepted, or it took too long. Start again.',
)
export const badPasskey = reply(404, 'badPasskey', 'You have no such passkey.')
export const badKnownPasskey = reply(409, 'badKnownPasskey', 'This passkey was added before.')
export const badPasskeyCount = reply(
  409,
  'badPasskeyCount',
  'You have too many passkeys. Remove one first.',
  z.object({ max: z.int() }),
)

/** Bytes in base64url. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/, { error: 'must be base64url' })
const credential = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}).default({}),
}

/** As `PublicKeyCredential.toJSON()` returns it, without what is not used. */
export const RegistrationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    attestationObject: bytes(8192),
    transports: z.array(z.string().max(16)).max(8).default([]),
  }),
})

export const AuthenticationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(2048),
    signature: bytes(2048),
    userHandle: bytes(128).nullish(),
  }),
})

const own = { auth: 'person', scope: null, limits: ['personChanges'] } as const
const arriving = { auth: 'public', bodyCap: 'account', limits: ['signIns'] } as const
const One = z.object({ id: bytes(1400) })

export const startPasskey = route({
  ...own,
  method: 'POST',
  path: '/api/v2/people/me/passkeys/start',
  summary: 'Begin to add a passkey to the caller.',
  secret: true,
  replies: [goodPasskeyOptions, badPasskeyCount, badSecondFactor, badEndpoint],
})

export const addPasskey = route({
  ...own,
  method: 'POST',
  path: '/api/v2/people/me/passkeys',
  summary: 'Add the passkey that the authenticator made.',
  body: z.object({ name: PasskeyName, response: RegistrationResponse }),
  bodyCap: 'account',
  replies: [
    goodPasskeyAdd,
    badPasskeyResponse,
    badKnownPasskey,
    badPasskeyCount,
    badSecondFactor,
    badEndpoint,
  ],
})

export const renamePasskey = route({
  ...own,
  method: 'PATCH',
  path: '/api/v2/people/me/passkeys/:id',
  summary: "Rename one of the caller's passkeys.",
  params: One,
  body: z.object({ name: PasskeyName }),
  bodyCap: 'account',
  replies: [goodPasskeyUpdate, badPasskey],
})

export const removePasskey = route({
  ...own,
  method: 'DELETE',
  path: '/api/v2/people/me/passkeys/:id',
  summary: "Remove one of the caller's passkeys, if another way to sign in remains.",
  params: One,
  replies: [goodWayRemoved, badPasskey, badLastWay, badSecondFactor],
})

export const startPasskeySignIn = route({
  ...arriving,
  method: 'POST',
  path: '/api/v2/people/sign-in/passkey',
  summary: 'Begin to sign in with a passkey. The authenticator knows whose it is.',
  secret: true,
  replies: [goodPasskeyOptions, badEndpoint],
})

export const finishPasskeySignIn = route({
  ...arriving,
  method: 'POST',
  path: '/api/v2/people/sign-in/passkey/finish',
  summary: 'Sign in with the response of the authenticator.',
  secret: true,
  body: z.object({ response: AuthenticationResponse }),
  replies: [goodPersonSignIn, badPasskeyResponse, badEndpoint],
})

export const passkeyRouteList: readonly Route[] = [
  startPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  startPasskeySignIn,
  finishPasskeySignIn,
]
