import type { MailingReceivers, MailingTopic } from '@pennant/contract/mailings.ts'
import type { z } from 'zod'
import type { WorldView } from '../../../world/model.ts'
import { personRows } from '../persons/rows.ts'
import { pageOfTeams, type TeamListFilter } from '../teams/admin-list.ts'

/** The name is of the first team or person with this address. */
export interface Receiver {
  readonly address: string
  readonly name: string
}

interface Receivers {
  /** Each address once. */
  readonly receivers: readonly Receiver[]
  /** Teams and people without an address. */
  readonly withoutAddress: number
  /** Addresses that are left out because they unsubscribed. */
  readonly optedOut: number
}

interface Wanted {
  readonly to: z.output<typeof MailingReceivers>
  readonly topic: z.output<typeof MailingTopic>
  /** Addresses that unsubscribed, in lower case. */
  readonly optOuts: ReadonlySet<string>
  /** Of the filters by answers and eligibility. */
  readonly passes: TeamListFilter['passes']
}

/** Who gets a mail, in the order in which the teams registered. */
export function receiversOf(world: WorldView, { to, topic, optOuts, passes }: Wanted): Receivers {
  const { ids, addresses, search, status, division } = to
  const list = { limit: Infinity, offset: 0, sortBy: 'createdAt', sortOrder: 'asc', search } as const
  const only = ids && new Set(ids)
  const found = new Map<string, Receiver>()
  let withoutAddress = 0
  const add = ({ email, name }: { readonly email: string | null; readonly name: string }) => {
    if (email === null) withoutAddress += 1
    else if (!found.has(email.toLowerCase())) found.set(email.toLowerCase(), { address: email, name })
  }
  const persons = world.rows(personRows)
  for (const team of pageOfTeams(world, list, { status, division, passes }).teams) {
    if (only && !only.has(team.id)) continue
    if (addresses !== 'people') add(team)
    if (addresses !== 'teams') persons.ofTeam(team.id).forEach(add)
  }
  const size = found.size
  if (topic === 'other') for (const address of optOuts) found.delete(address)
  return { receivers: [...found.values()], withoutAddress, optedOut: size - found.size }
}
