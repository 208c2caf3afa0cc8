import { badExtrankToken, badKnownExtrankId } from '@pennant/contract/accounts.ts'
import * as contract from '@pennant/contract/extrank.ts'
import { badEndpoint, badUnknownUser } from '@pennant/contract/replies.ts'
import { badZeroAuth } from '@pennant/contract/teams.ts'
import type { Database } from '../../db/database.ts'
import { on, type Endpoint } from '../../http/handler.ts'
import type { Tokens } from '../accounts/tokens.ts'
import { orCollision } from '../teams/collision.ts'
import type { OwnWrites } from '../teams/own-writes.ts'
import { createRankingSite, type RankingSiteOptions } from './ranking-site.ts'
import { removeExtrankId, setExtrankId } from './store.ts'

export interface ExtrankDeps {
  readonly db: Database
  readonly ownWrites: OwnWrites
  readonly tokens: Pick<Tokens, 'issueHandoff' | 'open'>
  readonly fetch: typeof globalThis.fetch
  /** Null where nobody signs in with a ranking site: the routes are then not there. */
  readonly extrank: RankingSiteOptions | null
}

/** Teams that sign in with the ranking site. Registration and login take the token that is issued here. */
export function extrankRoutes({ db, ownWrites, tokens, fetch, extrank }: ExtrankDeps): Endpoint[] {
  const site = extrank && createRankingSite(extrank, fetch)
  return [
    on(contract.exchangeExtrankCode, async ({ body }) => {
      if (!site) return badEndpoint()
      const team = await site.findTeam(body.extrankCode)
      if (!team) return contract.badExtrankCode()
      const { extrankId, name } = team
      const extrankToken = tokens.issueHandoff({ name, extrankId })
      return contract.goodExtrankToken({ extrankToken, extrankName: name, extrankId })
    }),

    on(contract.setExtrank, async ({ team, body }) => {
      if (!site) return badEndpoint()
      const handoff = tokens.open(body.extrankToken, ['handoff'])
      if (!handoff) return badExtrankToken()
      const write = () => setExtrankId(db, team.id, handoff.extrankId)
      const outcome = await orCollision(ownWrites.run(team.id, write))
      if ('collision' in outcome) return badKnownExtrankId()
      return 'team' in outcome ? contract.goodExtrankAuthSet() : badUnknownUser()
    }),

    on(contract.removeExtrank, async ({ team }) => {
      if (!site) return badEndpoint()
      const outcome = await ownWrites.run(team.id, () => removeExtrankId(db, team.id))
      if ('team' in outcome) return contract.goodExtrankRemoved()
      switch (outcome.refused) {
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
