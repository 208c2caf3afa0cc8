import { z } from 'zod'
import { goodVerifySent } from './accounts.ts'
import { CaptchaCode, Email, PersonName, TokenText, UnixMs } from './fields.ts'
import { badEmail, badEndpoint, badKnownEmail } from './replies.ts'
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
export const badSession = reply(404, 'badSession', 'No such session.')

const Person = z.object({ id: z.string(), name: z.string() })

export const goodPersonSignIn = reply(
  200,
  'goodPersonSignIn',
  'Signed in.',
  z.object({
    authToken: z.string().describe('Identifies the session in `Authorization: Bearer …`.'),
    person: Person,
    isNew: z.boolean().describe('This sign-in created the person.'),
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

/** Sessions of a person; the oldest end beyond it. */
export const MAX_SESSIONS = 100

export const goodSessions = reply(
  200,
  'goodSessions',
  'Sessions, the most recently used first.',
  z.object({
    sessions: z
      .array(
        z.object({
          id: z.string(),
          methods: z.array(z.string()).describe('How the person signed in.'),
          browser: z.string().describe('As the browser names itself.'),
          ip: z.string().nullable(),
          createdAt: UnixMs,
          lastUsedAt: UnixMs.describe('Unix milliseconds, exact to five minutes.'),
          expiresAt: UnixMs,
          isCurrent: z.boolean(),
        }),
      )
      .max(MAX_SESSIONS),
  }),
)
export const goodSessionsEnded = reply(
  200,
  'goodSessionsEnded',
  'The sessions have ended.',
  z.object({ ended: z.int() }),
)

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
  }),
  replies: [goodPersonSignIn, goodAddressConfirmed, badSignInLink, badNameNeeded, badKnownEmail, badEndpoint],
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
  replies: [goodProviderStart, badProviderUnavailable, badEndpoint],
})

export const unlinkProvider = route({
  ...ownChange,
  method: 'DELETE',
  path: '/api/v2/people/me/sign-in/providers/:id',
  summary: "Unlink the caller's account of a provider, if another way to sign in remains.",
  params: ProviderId,
  replies: [goodWayRemoved, badLastWay, badEndpoint],
})

export const listSessions = route({
  ...own,
  method: 'GET',
  path: '/api/v2/people/me/sessions',
  shows: [],
  summary: "List the caller's sessions.",
  replies: [goodSessions],
})

export const endSession = route({
  ...ownChange,
  method: 'DELETE',
  path: '/api/v2/people/me/sessions/:id',
  summary: "End one of the caller's sessions, or this one to sign out.",
  params: z.object({ id: z.string().min(1).max(64) }),
  replies: [goodSessionsEnded, badSession],
})

export const endOtherSessions = route({
  ...ownChange,
  method: 'DELETE',
  path: '/api/v2/people/me/sessions',
  summary: "End all of the caller's sessions but this one.",
  replies: [goodSessionsEnded],
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
  listSessions,
  endSession,
  endOtherSessions,
]
