import { z } from 'zod'
import { goodVerifySent } from './accounts.ts'
import { SentAnswers } from './custom-field-schemas.ts'
import { badFieldAnswers } from './custom-fields.ts'
import { CaptchaCode, Email, PersonName, TokenText, UnixMs } from './fields.ts'
import { badEmail, badEndpoint, badKnownEmail, badSecondFactor } from './replies.ts'
import { reply, route, type Route } from './route.ts'

// How people sign in: docs/reference/people.md#sign-in

export const badSignInLink = reply(401, 'badSignInLink', 'The link is invalid, used, replaced or expired.')
export const badNameNeeded = reply(400, 'badNameNeeded', 'Say how you are called.')
export const badProviderResponse = reply(
  401,
  'badProviderResponse',
  'The provider did not confirm who you are. Start again.',
)
export const badProviderCancelled = reply(401, 'badProviderCancelled', 'You did not sign in at the provider.')
export const badProviderUnavailable = reply(
  502,
  'badProviderUnavailable',
  'The provider cannot be reached, or is not set up correctly.',
)
export const badProviderAccount = reply(
  403,
  'badProviderAccount',
  'Accounts like yours do not sign in here.',
  z.object({ reason: z.enum(['domain', 'group']) }),
)
export const badUnknownPerson = reply(403, 'badUnknownPerson', 'No one here has this account.')
export const badKnownAccount = reply(409, 'badKnownAccount', 'Another person has this account.')
export const badLastWay = reply(409, 'badLastWay', 'This is your only way to sign in.')

const Person = z.object({ id: z.string(), name: z.string() })

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: UnixMs,
  lastUsedAt: UnixMs.nullable(),
})

export const goodPersonSignIn = reply(
  200,
  'goodPersonSignIn',
  'Signed in.',
  z.object({
    authToken: z.string().describe('Identifies the session in `Authorization: Bearer …`.'),
    person: Person,
    isNew: z.boolean().describe('This sign-in created the person.'),
    teamRefusal: z
      .string()
      .optional()
      .describe('In an event for individuals: the kind of reply that says why the person got no team.'),
    needsSecondFactor: z.boolean().describe('Without one, this session has no permissions.'),
    expiresAt: UnixMs,
  }),
)
export const goodSignInLink = reply(
  200,
  'goodSignInLink',
  'Details of the link.',
  z.object({
    kind: z.enum(['mail', 'address', 'personal']).describe('`address` confirms a new address of the person.'),
    email: z.string().nullable(),
    name: z.string().nullable().describe('Of the person; null if the link creates one.'),
  }),
)
export const goodAddressConfirmed = reply(200, 'goodAddressConfirmed', 'The email address was changed.')
export const goodSignInWays = reply(
  200,
  'goodSignInWays',
  'Ways to sign in.',
  z.object({
    person: Person,
    email: z.string().nullable(),
    personalLink: z.boolean().describe('The person has a personal link.'),
    providers: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        account: z.string().nullable().describe('As the provider names it; null if none is linked.'),
      }),
    ),
    passkeys: z.array(Passkey).describe('Oldest first.'),
    secondFactor: z.object({
      isDemanded: z.boolean().describe('The permissions of the caller need one.'),
      isConfirmed: z.boolean().describe('This session has one.'),
      isMissing: z.boolean().describe('Never used: the first passkey is added without one.'),
      recoveryCodes: z.int().describe('How many are left.'),
    }),
  }),
)
export const goodPersonalLink = reply(
  200,
  'goodPersonalLink',
  'A new personal link. Earlier ones no longer work.',
  z.object({ link: z.string().describe('Signs in as the person. A secret.') }),
)
export const goodProviderStart = reply(
  200,
  'goodProviderStart',
  'Go to the provider.',
  z.object({ url: z.string() }),
)
export const goodProviderLinked = reply(200, 'goodProviderLinked', 'The account was linked.')
export const goodWayRemoved = reply(200, 'goodWayRemoved', 'The way to sign in was removed.')

const arriving = { auth: 'public', bodyCap: 'account', limits: ['signIns'] } as const
const mailing = { captcha: { action: 'recover', field: 'captchaCode' }, bodyCap: 'account' } as const
const Address = z.object({ email: Email, captchaCode: CaptchaCode })

export const askSignInMail = route({
  ...mailing,
  method: 'POST',
  path: '/api/v2/people/sign-in/mail',
  summary: 'Ask for a mail with a sign-in link. The response is the same for unknown addresses.',
  auth: 'public',
  body: Address,
  limits: ['outsideCalls'],
  handlerLimits: ['mailsToAddress'],
  replies: [goodVerifySent, badEmail, badEndpoint],
})

export const readSignInLink = route({
  ...arriving,
  method: 'POST',
  path: '/api/v2/people/sign-in/info',
  summary: 'Tell what a sign-in link would do, without using it up.',
  secret: true,
  body: z.object({ token: TokenText }),
  replies: [goodSignInLink, badSignInLink, badEndpoint],
})

export const useSignInLink = route({
  ...arriving,
  method: 'POST',
  path: '/api/v2/people/sign-in',
  summary: 'Sign in with a link. One from a mail works once, and creates the person at the first use.',
  secret: true,
  body: z.object({
    token: TokenText,
    name: PersonName.optional().describe('Needed if the link creates a person.'),
    personFields: SentAnswers.optional().describe('Answers of the person that the link creates.'),
  }),
  replies: [
    goodPersonSignIn,
    goodAddressConfirmed,
    badSignInLink,
    badNameNeeded,
    badKnownEmail,
    badEndpoint,
    badFieldAnswers,
  ],
})

const ProviderId = z.object({ id: z.string().min(1).max(32) })
/** Made by the browser, which keeps it: only that browser finishes what it starts. */
const BrowserKey = z.string().regex(/^[\w-]{43}$/, { error: 'must be 32 random bytes in base64url' })

export const startProvider = route({
  auth: 'public',
  bodyCap: 'account',
  limits: ['outsideCalls'],
  method: 'POST',
  path: '/api/v2/people/sign-in/providers/:id',
  summary: 'Begin to sign in with an account of a provider.',
  secret: true,
  params: ProviderId,
  body: z.object({ browserKey: BrowserKey }),
  replies: [goodProviderStart, badProviderUnavailable, badEndpoint],
})

export const finishProvider = route({
  auth: 'public',
  bodyCap: 'account',
  limits: ['outsideCalls'],
  method: 'POST',
  path: '/api/v2/people/sign-in/providers/:id/finish',
  summary: 'Sign in with the response of a provider, or link the account.',
  secret: true,
  params: ProviderId,
  body: z.object({
    browserKey: BrowserKey,
    response: z.string().max(8192).describe('The query with which the provider sent the browser back.'),
  }),
  replies: [
    goodPersonSignIn,
    goodProviderLinked,
    badProviderResponse,
    badProviderCancelled,
    badProviderAccount,
    badUnknownPerson,
    badKnownAccount,
    badEndpoint,
  ],
})

const own = { auth: 'person', scope: null, limits: ['personCalls'] } as const
const ownChange = { auth: 'person', scope: null, limits: ['personChanges'] } as const

export const readSignInWays = route({
  ...own,
  method: 'GET',
  path: '/api/v2/people/me/sign-in',
  shows: [],
  summary: "List the caller's ways to sign in.",
  replies: [goodSignInWays],
})

export const setPersonEmail = route({
  ...ownChange,
  ...mailing,
  method: 'PUT',
  path: '/api/v2/people/me/sign-in/mail',
  summary: "Mail a link that makes the address the caller's.",
  body: Address,
  handlerLimits: ['mailsToAddress'],
  replies: [goodVerifySent, badEmail, badEndpoint],
})

export const removePersonEmail = route({
  ...ownChange,
  method: 'DELETE',
  path: '/api/v2/people/me/sign-in/mail',
  summary: "Remove the caller's address, if another way to sign in remains.",
  replies: [goodWayRemoved, badLastWay],
})

export const renewPersonalLink = route({
  ...ownChange,
  method: 'POST',
  path: '/api/v2/people/me/sign-in/link',
  summary: "Replace the caller's personal sign-in link.",
  secret: true,
  replies: [goodPersonalLink],
})

export const removePersonalLink = route({
  ...ownChange,
  method: 'DELETE',
  path: '/api/v2/people/me/sign-in/link',
  summary: "Remove the caller's personal link, if another way to sign in remains.",
  replies: [goodWayRemoved, badLastWay],
})

export const linkProvider = route({
  ...ownChange,
  bodyCap: 'account',
  method: 'POST',
  path: '/api/v2/people/me/sign-in/providers/:id',
  summary: 'Begin to link an account of a provider to the caller.',
  secret: true,
  params: ProviderId,
  body: z.object({ browserKey: BrowserKey }),
  replies: [goodProviderStart, badProviderUnavailable, badSecondFactor, badEndpoint],
})

export const unlinkProvider = route({
  ...ownChange,
  method: 'DELETE',
  path: '/api/v2/people/me/sign-in/providers/:id',
  summary: "Unlink the caller's account of a provider, if another way to sign in remains.",
  params: ProviderId,
  replies: [goodWayRemoved, badLastWay, badEndpoint],
})

export const signInRouteList: readonly Route[] = [
  askSignInMail,
  readSignInLink,
  useSignInLink,
  startProvider,
  finishProvider,
  linkProvider,
  unlinkProvider,
  readSignInWays,
  setPersonEmail,
  removePersonEmail,
  renewPersonalLink,
  removePersonalLink,
]
