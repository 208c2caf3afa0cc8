import { z } from 'zod'
import { UnixMs } from './fields.ts'
import * as shared from './replies.ts'
import { organiserRoute, reply } from './route.ts'

// Registrations whose email address is not verified yet:
// docs/reference/administration.md#pending-verifications

const { badEndpoint, badKnownName, badKnownEmail } = shared

export const PendingVerification = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  division: z.string(),
  createdAt: UnixMs,
  expiresAt: UnixMs,
})

export const goodAdminUserVerifications = reply(
  200,
  'goodAdminUserVerifications',
  'Pending registrations.',
  z.object({ verifications: z.array(PendingVerification) }),
)
export const goodAdminUserVerificationComplete = reply(
  200,
  'goodAdminUserVerificationComplete',
  'The registration was completed.',
  z.object({ userId: z.string() }),
)
export const goodAdminUserVerificationResend = reply(
  200,
  'goodAdminUserVerificationResend',
  'The mail was sent again.',
  z.object({ id: z.string() }),
)
export const badUnknownVerification = reply(404, 'badUnknownVerification', 'No such pending verification.')

const verifications = { compatible: true, auth: 'required', perms: ['usersWrite'] } as const
const one = {
  ...verifications,
  method: 'POST',
  params: z.object({ id: z.string().min(1).max(255) }),
} as const

export const listVerifications = organiserRoute({
  ...verifications,
  method: 'GET',
  path: '/api/v2/admin/user-verifications',
  summary: 'Registrations that wait for their mail, newest first.',
  scope: 'teams:read',
  replies: [goodAdminUserVerifications],
})

export const completeVerification = organiserRoute({
  ...one,
  path: '/api/v2/admin/user-verifications/:id/complete',
  summary: 'Makes the team of a registration without its mail.',
  scope: 'teams:write',
  replies: [goodAdminUserVerificationComplete, badUnknownVerification, badKnownEmail, badKnownName],
})

export const resendVerification = organiserRoute({
  ...one,
  path: '/api/v2/admin/user-verifications/:id/resend',
  summary: 'Sends the mail of a registration again. The link lives no longer by that.',
  scope: 'teams:write',
  replies: [goodAdminUserVerificationResend, badUnknownVerification, badEndpoint],
})

export const adminVerificationRouteList = [
  listVerifications,
  completeVerification,
  resendVerification,
] as const
