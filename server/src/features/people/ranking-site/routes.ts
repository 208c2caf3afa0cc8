import { badExtrankToken, badKnownExtrankId } from '@pennant/contract/accounts.ts'
import * as contract from '@pennant/contract/extrank.ts'
import { badEndpoint, badToken, badUnknownUser } from '@pennant/contract/replies.ts'
import { badZeroAuth } from '@pennant/contract/teams.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { WorldView } from '../../../world/model.ts'
import type { Tokens } from '../accounts/tokens.ts'
import { orCollision } from '../teams/collision.ts'
import type { OwnWrites } from '../teams/own-writes.ts'
import { createRankingSite, type RankingSiteOptions } from './ranking-site.ts'
import { removeExtrankId, setExtrankId } from './store.ts'

export interface ExtrankDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly ownWrites: OwnWrites
  readonly tokens: Pick<Tokens, 'issueHandoff' | 'open'>
  readonly fetch: typeof globalThis.fetch
  /** Null if no ranking site is configured: the routes then do not exist. */
  readonly extrank: RankingSiteOptions | null
}

/** Sign-in with the ranking site. Registration and login accept the token that is issued here. */
export function extrankRoutes({ db, world, ownWrites, tokens, fetch, extrank }: ExtrankDeps): Endpoint[] {
  const site = extrank && createRankingSite(extrank, fetch)
  return [
    on(contract.exchangeExtrankCode, async ({ body }) => {
      if (!site) return badEndpoint()
      const team = await site.findTeam(body.extrankCode)
      if (!team) return contract.badExtrankCode()
      const { extrankId, name } = team
      const linked = world().findTeamByExtrankId(extrankId)
      const extrankToken = tokens.issueHandoff({ name, extrankId }, linked?.tokensValidFrom)
      return contract.goodExtrankToken({ extrankToken, extrankName: name, extrankId })
    }),

    on(contract.setExtrank, async ({ team, body }) => {
      if (!site) return badEndpoint()
      const handoff = tokens.open(body.extrankToken, ['handoff'])
      if (!handoff) return badExtrankToken()
      const { extrankId } = handoff
      const write = () => setExtrankId(db, { id: team.id, issuedAt: team.tokenIssuedAt, extrankId })
      const outcome = await orCollision(ownWrites.run(team.id, write))
      if ('collision' in outcome) return badKnownExtrankId()
      if ('team' in outcome) return contract.goodExtrankAuthSet()
      return outcome.refused === 'void' ? badToken() : badUnknownUser()
    }),

    on(contract.removeExtrank, async ({ team }) => {
      if (!site) return badEndpoint()
      const change = { id: team.id, issuedAt: team.tokenIssuedAt }
      const outcome = await ownWrites.run(team.id, () => removeExtrankId(db, change))
      if ('team' in outcome) return contract.goodExtrankRemoved()
      switch (outcome.refused) {
        case 'void':
          return badToken()
        case 'gone':
          return badUnknownUser()
        case 'none':
          return contract.badExtrankNoExists()
        case 'last':
          return badZeroAuth()
      }
    }),
  ]
}
