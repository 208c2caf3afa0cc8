import { z } from 'zod'
import { CaptchaCode, Email, TeamName, TeamToken, TokenText } from './fields.ts'
import { SentAnswers } from './custom-field-schemas.ts'
import { badFieldAnswers } from './custom-fields.ts'
import * as shared from './replies.ts'
import { reply, route, type Route } from './route.ts'
import { badTrack, badTrackAgent, TrackDeclaration } from './tracks.ts'

// Registration and sign-in: docs/reference/accounts.md. Tokens are opaque to clients.

const { badEmail, badName, badKnownName, badKnownEmail, badEndpoint } = shared
const { badUnknownUser } = shared

export const badKnownExtrankId = reply(
  409,
  'badKnownExtrankId',
  'Another team is linked to this ranking-site team.',
)
export const badExtrankToken = reply(401, 'badExtrankToken', 'The ranking-site token is invalid or expired.')
export const badTokenVerification = reply(
  401,
  'badTokenVerification',
  'The token is invalid, used or expired.',
)
export const badRegistrationsDisabled = reply(400, 'badRegistrationsDisabled', 'Registration is closed.')
export const badCompetitionNotAllowed = reply(
  403,
  'badCompetitionNotAllowed',
  'This address may not take part.',
)
export const badRegistrationCode = reply(
  403,
  'badRegistrationCode',
  'The registration code is missing, wrong, used up or expired.',
)
export const badRegistrationsFull = reply(403, 'badRegistrationsFull', 'All places are taken.')
export const badEmailChangeDivision = reply(
  403,
  'badEmailChangeDivision',
  'The new address is not eligible for your division.',
)

const Signed = z.object({
  authToken: z.string().describe('Identifies the team in `Authorization: Bearer …`.'),
})

export const goodVerifySent = reply(200, 'goodVerifySent', 'Check your inbox for a link.')
export const goodRegister = reply(200, 'goodRegister', 'The team was created.', Signed)
export const goodRegistrationPending = reply(
  200,
  'goodRegistrationPending',
  'The registration waits for the organisers or for a place.',
  z.object({
    waitsFor: z.enum(['approval', 'place']),
    registrationToken: z.string().describe('Reads the state, and signs in once it is approved. A secret.'),
  }),
)
export const goodRegisterV2 = reply(
  200,
  'goodRegisterV2',
  'The team was created.',
  Signed.extend({ teamToken: TeamToken }),
)
export const goodVerify = reply(200, 'goodVerify', 'The token was accepted.', Signed)
export const goodEmailSet = reply(200, 'goodEmailSet', 'The email address was changed.')
export const goodVerifyInfo = reply(
  200,
  'goodVerifyInfo',
  'Details of the token.',
  z.object({
    kind: z.enum(['register', 'team', 'update']),
    email: z.string().nullable(),
    name: z.string().optional().describe('Absent when the team no longer exists.'),
  }),
)
export const goodLogin = reply(200, 'goodLogin', 'Signed in.', Signed)
export const goodToken = reply(200, 'goodToken', 'The auth token is valid.')

const registration = {
  email: Email.optional(),
  name: TeamName,
  extrankToken: z.string().optional(),
  registrationCode: z
    .string()
    .max(100)
    .optional()
    .describe('Where registration needs a code: docs/reference/registration.md'),
  fields: SentAnswers.optional(),
}

export const RegistrationV1 = z
  .object({ ...registration, legacyCaptchaCode: CaptchaCode })
  .refine(hasEmailOrExtrank, { path: ['email'], error: 'is required without an extrankToken' })
export const RegistrationV2 = z
  .object({ ...registration, declared: TrackDeclaration.optional(), captchaCode: CaptchaCode })
  .refine(hasEmailOrExtrank, { path: ['email'], error: 'is required without an extrankToken' })

function hasEmailOrExtrank(body: { email?: string | undefined; extrankToken?: string | undefined }) {
  return body.email !== undefined || Boolean(body.extrankToken)
}

const register = {
  compatible: true,
  method: 'POST',
  summary: 'Register a team, or ask for the mail that completes the registration.',
  auth: 'public',
  bodyCap: 'account',
  secret: true,
} as const
/** Only where organisers have set up registration other than open. */
const admissionReplies = [goodRegistrationPending, badRegistrationCode, badRegistrationsFull] as const
const registerReplies = [
  goodVerifySent,
  badEmail,
  badName,
  badRegistrationsDisabled,
  badEndpoint,
  badCompetitionNotAllowed,
  badKnownName,
  badKnownEmail,
  badKnownExtrankId,
  badExtrankToken,
  badFieldAnswers,
  ...admissionReplies,
] as const

export const registerV1 = route({
  ...register,
  path: '/api/v1/auth/register',
  captcha: { action: 'register', field: 'legacyCaptchaCode' },
  body: RegistrationV1,
  limits: ['registrations'],
  handlerLimits: ['mailsToAddress'],
  replies: [goodRegister, ...registerReplies],
})
export const registerV2 = route({
  ...register,
  path: '/api/v2/auth/register',
  captcha: { action: 'register', field: 'captchaCode' },
  body: RegistrationV2,
  limits: ['registrations'],
  handlerLimits: ['mailsToAddress'],
  replies: [goodRegisterV2, ...registerReplies, badTrack, badTrackAgent],
})

const verify = {
  compatible: true,
  method: 'POST',
  summary: 'Use a token from a mail: completes a registration, signs in, or changes the address.',
  auth: 'public',
  bodyCap: 'account',
  secret: true,
  body: z.object({ verifyToken: TokenText }),
} as const
const verifyReplies = [
  goodVerify,
  goodEmailSet,
  badTokenVerification,
  badUnknownUser,
  badKnownName,
  badKnownEmail,
  badEmailChangeDivision,
  ...admissionReplies,
] as const

export const verifyV1 = route({
  ...verify,
  path: '/api/v1/auth/verify',
  limits: ['signIns'],
  replies: [goodRegister, ...verifyReplies],
})
export const verifyV2 = route({
  ...verify,
  path: '/api/v2/auth/verify',
  limits: ['signIns'],
  replies: [goodRegisterV2, ...verifyReplies],
})

const verifyInfo = {
  path: '/api/v2/auth/verify-info',
  auth: 'public',
  secret: true,
  replies: [goodVerifyInfo, badTokenVerification],
} as const

export const readVerifyInfo = route({
  ...verifyInfo,
  method: 'GET',
  shows: [],
  summary: 'Tell what a token from a mail would do, without using it up.',
  query: z.object({ token: z.string().describe('Of the link in a mail, or a team token.') }),
  limits: ['signIns'],
  compatible: true,
})

/** A Pennant extension: proxies log addresses, and a team token does not expire. */
export const askVerifyInfo = route({
  ...verifyInfo,
  method: 'POST',
  bodyCap: 'account',
  summary: 'The same, with the token in the body instead of the address.',
  body: z.object({ token: TokenText }),
  limits: ['signIns'],
})

const recover = {
  compatible: true,
  method: 'POST',
  summary: 'Ask for a mail with a sign-in link. The response is the same for unknown addresses.',
  auth: 'public',
  bodyCap: 'account',
} as const
const recoverReplies = [goodVerifySent, badEmail, badEndpoint] as const

export const recoverV1 = route({
  ...recover,
  path: '/api/v1/auth/recover',
  captcha: { action: 'recover', field: 'legacyCaptchaCode' },
  body: z.object({ email: Email, legacyCaptchaCode: CaptchaCode }),
  limits: ['outsideCalls'],
  handlerLimits: ['mailsToAddress'],
  replies: recoverReplies,
})
export const recoverV2 = route({
  ...recover,
  path: '/api/v2/auth/recover',
  captcha: { action: 'recover', field: 'captchaCode' },
  body: z.object({ email: Email, captchaCode: CaptchaCode }),
  limits: ['outsideCalls'],
  handlerLimits: ['mailsToAddress'],
  replies: recoverReplies,
})

export const login = route({
  method: 'POST',
  path: '/api/v1/auth/login',
  summary: 'Sign in with a team token or a token of the ranking site.',
  auth: 'public',
  bodyCap: 'account',
  secret: true,
  body: z
    .object({ teamToken: TokenText.optional(), extrankToken: z.string().optional() })
    .refine((body) => Boolean(body.teamToken) || Boolean(body.extrankToken), {
      path: ['teamToken'],
      error: 'is required without an extrankToken',
    }),
  limits: ['signIns'],
  compatible: true,
  publicDemo: true,
  replies: [goodLogin, badExtrankToken, badTokenVerification, badUnknownUser],
})

export const testToken = route({
  method: 'GET',
  path: '/api/v1/auth/test',
  summary: 'Tell whether the auth token is valid.',
  auth: 'required',
  shows: [],
  scope: 'read',
  limits: [],
  compatible: true,
  replies: [goodToken],
})

export const accountRouteList: readonly Route[] = [
  registerV1,
  registerV2,
  verifyV1,
  verifyV2,
  readVerifyInfo,
  askVerifyInfo,
  recoverV1,
  recoverV2,
  login,
  testToken,
]
