import * as contract from '@pennant/contract/mailings.ts'
import { badEndpoint } from '@pennant/contract/replies.ts'
import type { Database } from '../../../db/database.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { WorldView } from '../../../world/model.ts'
import { personRows } from '../persons/rows.ts'
import type { TeamListFilter } from '../teams/admin-list.ts'
import { receiversOf } from './receivers.ts'
import { renderMailing, type MailingFrame } from './render.ts'
import { insertMailing, listMailings, optOut, queueTest, readOptOuts, stopMailing } from './store.ts'

export interface MailingDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly now: () => number
  /** Null without mail in the deployment. */
  readonly mail: { readonly frame: MailingFrame; readonly perMinute: number } | null
  /** The address in the token of a link that unsubscribes. */
  readonly openUnsubscribe: (token: string) => string | null
  readonly wakeOutbox: () => void
  /** Whether a team passes the filters by answers and eligibility; undefined without such filters. */
  readonly fieldFilter: (filter: Data['to']) => TeamListFilter['passes']
}

type Data = { readonly to: Parameters<typeof receiversOf>[1]['to']; readonly topic: 'event' | 'other' }

export function mailingRoutes(deps: MailingDeps): Endpoint[] {
  const { db, now, mail } = deps
  return [
    on(contract.stopMailing, async ({ params: { id }, team: { id: actorId }, ip }) => {
      const mailing = await stopMailing(db, id, { actorId, ip })
      return mailing ? contract.goodMailingStop({ mailing }) : contract.badMailing()
    }),

    on(contract.unsubscribe, async ({ query: { token } }) => {
      const address = deps.openUnsubscribe(token)
      if (address === null) return contract.badUnsubscribeToken()
      await optOut(db, address, now())
      return contract.goodUnsubscribe()
    }),

    ...(mail ? sendingRoutes({ ...deps, mail }) : withoutMail),
  ]
}

const withoutMail: readonly Endpoint[] = [
  on(contract.listMailings, () => badEndpoint()),
  on(contract.previewMailing, () => badEndpoint()),
  on(contract.testMailing, () => badEndpoint()),
  on(contract.createMailing, () => badEndpoint()),
]

function sendingRoutes(deps: MailingDeps & { readonly mail: NonNullable<MailingDeps['mail']> }): Endpoint[] {
  const { db, world, mail } = deps
  const receivers = async ({ to, topic }: Data) =>
    receiversOf(world(), { to, topic, optOuts: await readOptOuts(db), passes: deps.fieldFilter(to) })
  return [
    on(contract.listMailings, async () =>
      contract.goodMailings({ mailings: await listMailings(db), perMinute: mail.perMinute }),
    ),

    on(contract.previewMailing, async ({ body: { data }, team }) => {
      const { receivers: all, withoutAddress, optedOut } = await receivers(data)
      const first = all[0] ?? { address: '', name: world().team(team.id)?.name ?? '' }
      const { text, html } = renderMailing(data, first, mail.frame)
      const minutes = Math.ceil(all.length / mail.perMinute)
      return contract.goodMailingPreview({ count: all.length, withoutAddress, optedOut, minutes, text, html })
    }),

    on(contract.testMailing, async ({ body: { data }, team: { id, person }, ip }) => {
      const team = world().team(id)
      const to = (person && world().rows(personRows).find(person.id)?.email) ?? team?.email
      if (!team || !to) return contract.badMailingAddress()
      const { subject, content, topic } = data
      const texts = { subject, content, topic }
      await queueTest(db, { to, name: person?.name ?? team.name, texts }, { actorId: id, ip })
      deps.wakeOutbox()
      return contract.goodMailingTest({ address: to })
    }),

    on(contract.createMailing, async ({ body: { data }, team: { id: actorId }, ip }) => {
      const found = await receivers(data)
      const { length: count } = found.receivers
      if (count === 0) return contract.badMailingReceivers()
      if (count !== data.count) return contract.badMailingChanged({ count })
      const { subject, content, topic, to } = data
      const pace = { perMinute: mail.perMinute, now: deps.now() }
      const texts = { subject, content, topic, addresses: to.addresses }
      const mailing = await insertMailing(
        db,
        { ...texts, ...pace, receivers: found.receivers },
        { actorId, ip },
      )
      if (!mailing) return contract.badMailingCount({ max: contract.mailingLimits.waiting })
      deps.wakeOutbox()
      return contract.goodMailingCreate({ mailing })
    }),
  ]
}
