import * as contract from '@pennant/contract/registration.ts'
import type { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { refuse as refuseBody } from '../../../http/request/validate.ts'
import { fieldsOf, type Definitions } from '../../site/custom-fields/definitions.ts'
import { createCodes, listCodes, revokeCodes, type Code } from './codes.ts'
import { importTeams } from './team-import.ts'
import { readTeamFile, type FileDivisions } from './team-file.ts'
import { approve, listRequests, refuse, type Request } from './queue.ts'

export interface AdminRegistrationDeps {
  readonly db: Database
  readonly now: () => number
  readonly tokens: { issueTeam(teamId: string): string }
  readonly config: FileDivisions
  readonly definitions: () => Definitions
  readonly emailEnabled: boolean
  /** After a commit that added mail to the outbox. */
  readonly wakeOutbox: () => void
}

export function adminRegistrationRoutes(deps: AdminRegistrationDeps): Endpoint[] {
  const { db, now, tokens, config, emailEnabled, wakeOutbox } = deps
  const mails = emailEnabled ? { tokenOf: tokens.issueTeam } : null
  return [
    on(contract.importTeams, async ({ body: { data }, team: { id: actorId }, ip }) => {
      const file = readTeamFile(data.csv, {
        ...config,
        teamFields: fieldsOf(deps.definitions(), 'team'),
      })
      const by = { actorId, ip }
      const outcome = await importTeams(db, file, {
        by,
        dryRun: data.dryRun,
        mails: data.mail ? mails : null,
      })
      if (outcome.created) wakeOutbox()
      const { created, problems } = outcome
      return contract.goodTeamImport({
        created,
        problems: [...problems],
        teams: outcome.teams.map(({ id, name, email, division }) => ({
          name,
          email,
          division,
          ...(created && { token: tokens.issueTeam(id) }),
        })),
      })
    }),

    on(contract.listRegistrations, async ({ query }) => {
      const { total, requests, teams } = await listRequests(db, query)
      return contract.goodRegistrations({ total, registrations: requests.map(requestView), teams })
    }),

    on(contract.approveRegistrations, async ({ body: { data }, team: { id: actorId }, ip }) => {
      const decision = await approve(db, data.ids, { actorId, ip, mails })
      wakeOutbox()
      return contract.goodRegistrationDecisions(decision)
    }),

    on(contract.refuseRegistrations, async ({ body: { data }, team: { id: actorId }, ip }) => {
      const decision = await refuse(db, data, { actorId, ip, hasMail: emailEnabled })
      wakeOutbox()
      return contract.goodRegistrationDecisions(decision)
    }),

    on(contract.listRegistrationCodes, async ({ query }) => {
      const { total, codes } = await listCodes(db, query)
      return contract.goodRegistrationCodes({ total, codes: codes.map(codeView) })
    }),

    on(contract.createRegistrationCodes, async ({ body: { data }, team: { id: actorId }, ip }) => {
      if (data.division !== null && !Object.hasOwn(config.divisions, data.division))
        return refuseBody('body', 'data.division', 'is not a division of this contest')
      const codes = await createCodes(db, data, { actorId, ip, now: now() })
      return codes
        ? contract.goodRegistrationCodesCreate({ codes: codes.map(codeView) })
        : contract.badTooManyCodes()
    }),

    on(contract.revokeRegistrationCodes, async ({ body: { data }, team: { id: actorId }, ip }) =>
      contract.goodRegistrationCodesRevoke({ revoked: await revokeCodes(db, data.ids, { actorId, ip }) }),
    ),
  ]
}

function requestView(request: Request): z.input<typeof contract.RegistrationRequest> {
  const { id, name, email, division, waitsFor, state, reason, teamId, createdAt, decidedAt } = request
  return { id, name, email, division, waitsFor, state, reason, teamId, createdAt, decidedAt }
}

function codeView(row: Code): z.input<typeof contract.RegistrationCode> {
  const { id, code, label, division, maxUses, uses, expiresAt, revokedAt, createdAt } = row
  return { id, code, label, division, maxUses, uses, expiresAt, revokedAt, createdAt }
}
