import * as contract from '@pennant/contract/pages.ts'
import { badPerms } from '@pennant/contract/replies.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Call, type Endpoint, type LimitHead } from '../../../http/handler.ts'
import { prepare, type Prepared } from '../../../http/response/prepared.ts'
import { mayUseCaches } from '../../../lib/caching.ts'
import type { WorldView } from '../../../world/model.ts'
import { acceptanceOf, pageRows, type PageRow, type PageText } from './rows.ts'
import { findPublished, isRequired, textFor } from './rules.ts'
import { insertAcceptances } from './store.ts'
import { pageView } from './views.ts'

export interface PageDeps {
  readonly db: Database
  readonly world: () => WorldView
}

export function pageRoutes({ db, world }: PageDeps): Endpoint[] {
  const bodyOf = createBodies()
  const accept = async ({ body, team, person }: Call<typeof contract.acceptPages>) => {
    const pages: { id: string; version: number }[] = []
    for (const { slug, version } of body.pages) {
      const page = findPublished(world(), slug)
      if (!page || !isRequired(page)) return contract.badPage()
      const isCurrent = version >= page.acceptVersion && version <= page.version
      if (!isCurrent) return contract.badPageVersion({ version: page.version })
      pages.push({ id: page.id, version })
    }
    await insertAcceptances(db, { teamId: team.id, personId: person?.id ?? null, pages })
    return acceptances(team.id)
  }
  const acceptances = (teamId: string) =>
    contract.goodPageAcceptances({ pages: acceptancesOf(world(), teamId) })
  return [
    on(contract.readPage, ({ params: { slug }, query: { language } }) => {
      const page = findPublished(world(), slug)
      return page ? bodyOf(page, textFor(page, language)) : contract.badPage()
    }),

    on(contract.listOwnAcceptances, ({ team }) => acceptances(team.id)),

    on(contract.acceptPages, accept, refuseOtherSites),
  ]
}

/** A site that a team signed in to cannot accept rules for it. Any person of the team can. */
const refuseOtherSites: LimitHead = ({ team }) => (team?.isExternal ? Promise.resolve(badPerms()) : null)

function acceptancesOf(world: WorldView, teamId: string) {
  return world
    .rows(pageRows)
    .filter(isRequired)
    .map((page) => {
      const { slug, version, acceptVersion } = page
      const row = acceptanceOf(world, teamId, page)
      const accepted = row ? { version: row.version, at: row.acceptedAt } : null
      return { slug, version, acceptVersion, accepted }
    })
}

/** Each text is rendered once per version of its page. */
function createBodies() {
  const bodies = new WeakMap<PageRow, Map<PageText, Prepared>>()
  return (page: PageRow, text: PageText): Prepared => {
    const ofPage = bodies.get(page) ?? new Map<PageText, Prepared>()
    const known = mayUseCaches() ? ofPage.get(text) : undefined
    const body = known ?? prepare(contract.goodPage(pageView(page, text)))
    bodies.set(page, ofPage.set(text, body))
    return body
  }
}
