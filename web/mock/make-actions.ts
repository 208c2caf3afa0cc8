import type { Action } from '@pennant/contract/actions.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { z } from 'zod'

export type MockAction = z.output<typeof Action>

type Given = Pick<MockAction, 'action' | 'targets' | 'before' | 'after'> & Partial<MockAction>

const given: readonly (Given & { readonly minutesAgo: number })[] = [
  {
    minutesAgo: 320,
    action: 'organiser.create',
    actor: { id: null, name: 'command line' },
    route: 'pennant admin create',
    ip: null,
    requestId: null,
    targets: [{ id: 'team-admin', name: 'Harbour masters' }],
    before: null,
    after: { name: 'Harbour masters', perms: 63, division: 'open' },
  },
  {
    minutesAgo: 210,
    action: 'settings.update',
    route: 'PUT /api/v2/admin/settings',
    targets: [],
    before: { ctfName: null, homeContent: null },
    after: { ctfName: 'Harbour CTF', homeContent: '# Ahoy\n\nTwo days, thirty challenges.' },
    canUndo: true,
  },
  {
    minutesAgo: 95,
    action: 'challenge.update',
    targets: [{ id: 'tide-table', name: 'Tide Table' }],
    before: { flags: { secret: '51c2d4a09be37f18' }, pointsMax: 500 },
    after: { flags: { secret: 'e07b6a915fd2c384' }, pointsMax: 400 },
  },
  {
    minutesAgo: 41,
    action: 'team.update',
    route: 'PUT /api/v2/admin/users/:id',
    targets: [{ id: 'team-2', name: 'Byte Pirates' }],
    before: { banned: false },
    after: { banned: true },
  },
  {
    minutesAgo: 6,
    action: 'challenge.update',
    targets: [{ id: 'tide-table', name: 'Tide Table' }],
    before: { hidden: false },
    after: { hidden: true },
    canUndo: true,
  },
]

const hashOf = (seq: number) => seq.toString(16).padStart(2, '0').repeat(32)

/** Newest first. */
export function makeActions(now: number): MockAction[] {
  return given
    .map(({ minutesAgo, ...fields }, index) => ({
      seq: index + 1,
      at: now - minutesAgo * MINUTE_MS,
      actor: { id: 'team-admin', name: 'Harbour masters' },
      route: 'PUT /api/v2/admin/challs/:id',
      ip: '198.51.100.7',
      requestId: `request-000${index}`,
      undoes: null,
      undoneBy: null,
      canUndo: false,
      previousHash: hashOf(index),
      hash: hashOf(index + 1),
      ...fields,
    }))
    .toReversed()
}
