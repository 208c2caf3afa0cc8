import * as contract from '@pennant/contract/admin-verifications.ts'
import { badEndpoint } from '@pennant/contract/replies.ts'
import type { z } from 'zod'
import { recordAdminAction } from '../../../db/admin-actions.ts'
import type { Database } from '../../../db/database.ts'
import { addToOutbox } from '../../../db/outbox.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { Bus, Markers } from '../../../lib/key-value.ts'
import type { Log } from '../../../lib/log.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { wakeOutbox } from './mail.ts'
import { collisionReply } from './refusals.ts'
import {
  completeRegistration,
  findRegistration,
  listRegistrations,
  type RecordAdmin,
  type Registration,
} from './registrations.ts'
import type { Tokens } from './tokens.ts'
import { createVerifyTokens } from './verify-tokens.ts'

export interface AdminVerificationDeps {
  readonly db: Database
  readonly tokens: Tokens
  readonly markers: Markers
  readonly bus: Bus
  readonly log: Log
  readonly now: () => number
  readonly loginTimeoutMs: number
  readonly emailEnabled: boolean
}

export function adminVerificationRoutes(deps: AdminVerificationDeps): Endpoint[] {
  const { db, now, emailEnabled } = deps
  const verifyTokens = createVerifyTokens(deps)
  return [
    on(contract.listVerifications, async () => {
      const registrations = await listRegistrations(db, now())
      return contract.goodAdminUserVerifications({ verifications: registrations.map(verificationView) })
    }),

    on(contract.completeVerification, async ({ params: { id }, team: { id: actorId }, ip }) => {
      const recordAdmin: RecordAdmin = ({ id: target, name, division }) => {
        const change = loggedChange(null, { name, division })
        return recordAdminAction({ actorId, ...change, action: 'verification.complete', target, ip })
      }
      const completion = await completeRegistration(db, id, { now: now(), recordAdmin })
      if (!completion) return contract.badUnknownVerification()
      if ('teamId' in completion)
        return contract.goodAdminUserVerificationComplete({ userId: completion.teamId })
      // Organisers are not refused.
      if (!('collision' in completion)) return contract.badUnknownVerification()
      // Email registrations have no ranking-site id, so extrankId cannot collide.
      return collisionReply(completion.collision === 'email' ? 'email' : 'name')
    }),

    on(contract.resendVerification, async ({ params: { id }, team: { id: actorId }, ip }) => {
      const registration = await findRegistration(db, id, now())
      // The server prints the first admin's link at startup and never sends it by email.
      if (!registration || registration.perms > 0) return contract.badUnknownVerification()
      if (!emailEnabled) return badEndpoint()
      const { email, createdAt } = registration
      const token = await verifyTokens.issueRegistration(id, createdAt)
      await db.transaction(async (tx) => {
        await tx.query(addToOutbox('mail', { kind: 'register', to: email, token }))
        await tx.query(recordAdminAction({ actorId, action: 'verification.resend', target: id, ip }))
      })
      wakeOutbox(deps)
      return contract.goodAdminUserVerificationResend({ id })
    }),
  ]
}

function verificationView(registration: Registration): z.input<typeof contract.PendingVerification> {
  const { id, name, email, division, createdAt, expiresAt } = registration
  return { id, name, email, division, createdAt, expiresAt }
}
