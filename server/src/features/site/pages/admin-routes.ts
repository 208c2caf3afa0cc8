import * as contract from '@pennant/contract/pages.ts'
import { on, type Actor, type Endpoint } from '../../../http/handler.ts'
import type { TeamRow, WorldView } from '../../../world/model.ts'
import { titlesOf } from './links.ts'
import { pageRows } from './rows.ts'
import type { PageDeps } from './routes.ts'
import { acceptedCount } from './rules.ts'
import * as store from './store.ts'
import { acceptanceView, adminPageView, headView, versionView } from './views.ts'

export function adminPageRoutes(deps: PageDeps): Endpoint[] {
  return [...readRoutes(deps), ...writeRoutes(deps)]
}

/** Organisers need not accept pages. */
function playersOf(world: WorldView): TeamRow[] {
  return [...world.teams()].filter(({ perms }) => perms === 0)
}

function readRoutes({ db, world }: PageDeps): Endpoint[] {
  const find = (id: string) =>
    world()
      .rows(pageRows)
      .find((page) => page.id === id)
  return [
    on(contract.listAdminPages, () => {
      const view = world()
      const pages = view.rows(pageRows).map((row) => ({
        ...headView(row),
        titles: titlesOf(row),
        accepted: acceptedCount(view, row),
      }))
      return contract.goodAdminPages({ pages, teams: playersOf(view).length })
    }),

    on(contract.readAdminPage, async ({ params: { id } }) => {
      const page = find(id)
      if (!page) return contract.badPage()
      const versions = await store.readVersions(db, id)
      return contract.goodAdminPage({
        page: adminPageView(page),
        versions: versions.map((each) => versionView(each, world())),
      })
    }),

    on(contract.readPageVersion, async ({ params }) => {
      const found = await store.findVersion(db, params)
      if (!found) return contract.badPage()
      return contract.goodPageVersion({
        ...versionView(found, world()),
        ...store.fieldsOf(found.data),
        texts: [...found.data.texts],
      })
    }),

    on(contract.listPageAcceptances, ({ params: { id }, query: { limit, offset } }) => {
      const page = find(id)
      if (!page) return contract.badPage()
      const view = world()
      const all = playersOf(view).toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
      const teams = all
        .slice(offset, offset + limit)
        .map((team) => acceptanceView(team, { world: view, page }))
      return contract.goodPageTeams({ teams, total: all.length })
    }),
  ]
}

const by = ({ id }: Actor, ip: string) => ({ actorId: id, ip })

function writeRoutes({ db }: PageDeps): Endpoint[] {
  return [
    on(contract.createPage, async ({ body: { data }, team, ip }) => {
      const saved = await store.insertPage(db, data, by(team, ip))
      if ('row' in saved) return contract.goodPageUpdate({ page: adminPageView(saved.row) })
      return 'problem' in saved && saved.problem === 'address'
        ? contract.badPageAddress()
        : contract.badPageCount({ max: contract.pageLimits.stored })
    }),

    on(contract.updatePage, async ({ params: { id }, body: { data }, team, ip }) => {
      const { version, material = false, ...patch } = data
      const saved = await store.editPage(db, { id, version, patch, isMaterial: material }, by(team, ip))
      if (!saved) return contract.badPage()
      if ('version' in saved) return contract.badPageVersion(saved)
      if ('problem' in saved) return contract.badPageAddress()
      return contract.goodPageUpdate({ page: adminPageView(saved.row) })
    }),

    on(contract.deletePage, async ({ params: { id }, team, ip }) =>
      (await store.removePage(db, id, by(team, ip))) ? contract.goodPageDelete() : contract.badPage(),
    ),

    on(contract.orderPages, async ({ body: { ids }, team, ip }) =>
      (await db.change((tx) => store.writeOrder(tx, ids, by(team, ip))))
        ? contract.goodPageOrder()
        : contract.badPageOrder(),
    ),
  ]
}
