import { badTokenVerification, goodRegisterV2 } from '@pennant/contract/accounts.ts'
import * as contract from '@pennant/contract/registration.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { claim, findByToken } from './queue.ts'

export interface RegistrationDeps {
  readonly db: Database
  readonly tokens: { issueAuth(teamId: string): string; issueTeam(teamId: string): string }
}

/** For applicants whose registration waits. */
export function registrationRoutes({ db, tokens }: RegistrationDeps): Endpoint[] {
  return [
    on(contract.readRegistration, async ({ body: { token } }) => {
      const request = await findByToken(db, token)
      if (!request) return badTokenVerification()
      const { name, state, waitsFor, position, reason } = request
      return contract.goodRegistrationStatus({
        name,
        state,
        waitsFor,
        ...(state === 'waiting' && { position }),
        ...(reason !== null && { reason }),
      })
    }),

    on(contract.claimRegistration, async ({ body: { token } }) => {
      const teamId = await claim(db, token)
      if (teamId === null) return badTokenVerification()
      return goodRegisterV2({ authToken: tokens.issueAuth(teamId), teamToken: tokens.issueTeam(teamId) })
    }),
  ]
}
