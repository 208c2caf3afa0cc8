import * as contract from '@pennant/contract/actions.ts'
import { on } from '../handler.ts'
import type { MockAction } from '../make-actions.ts'
import type { World } from '../world.ts'

const DEFAULT_LIMIT = 50

interface Filter {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly target?: string | undefined
  readonly after?: string | undefined
  readonly until?: string | undefined
}

function matches(entry: MockAction, { actor, action, target, after, until }: Filter): boolean {
  if (actor !== undefined && (entry.actor.id ?? contract.COMMAND_LINE) !== actor) return false
  if (action !== undefined && entry.action !== action && !entry.action.startsWith(`${action}.`)) return false
  if (target !== undefined && !entry.targets.some(({ id }) => id === target)) return false
  if (after !== undefined && entry.at < Date.parse(after)) return false
  return until === undefined || entry.at < Date.parse(until)
}

const list = on(contract.listActions, ({ world, query }) => {
  const { limit = DEFAULT_LIMIT, before } = query
  const found = world.actions.filter(
    (entry) => (before === undefined || entry.seq < before) && matches(entry, query),
  )
  const page = found.slice(0, limit)
  const [head] = world.actions
  return contract.goodActions({
    actions: page,
    next: found.length > limit ? (page.at(-1)?.seq ?? null) : null,
    head: { seq: head?.seq ?? 0, hash: head?.hash ?? '0'.repeat(64) },
  })
})

const undo = on(contract.undoAction, ({ world, params: { id } }) => {
  const at = world.actions.findIndex(({ seq }) => seq === id)
  const entry = world.actions[at]
  if (!entry) return contract.badAction()
  if (!entry.canUndo) return contract.badActionUndo()
  if (entry.undoneBy !== null) return contract.badActionChanged({ fields: Object.keys(entry.after ?? {}) })
  const [head = entry] = world.actions
  const undone: MockAction = {
    ...entry,
    seq: head.seq + 1,
    at: world.now(),
    route: 'POST /api/v2/admin/actions/:id/undo',
    before: entry.after,
    after: entry.before,
    undoes: entry.seq,
    previousHash: head.hash,
    hash: `${head.seq + 1}`.padStart(64, '0'),
  }
  world.actions[at] = { ...entry, undoneBy: undone.seq }
  world.actions.unshift(undone)
  apply(world, undone)
  return contract.goodActionUndo({ action: undone })
})

function apply(world: World, { action, targets: [target], after }: MockAction): void {
  const challenge = world.challenges.get(target?.id ?? '')
  if (action === 'challenge.update' && challenge)
    world.challenges.set(challenge.id, { ...challenge, hidden: after?.['hidden'] === true })
}

const csv = on(contract.exportActionsCsv, () => contract.goodActionFile())
const json = on(contract.exportActionsJson, () => contract.goodActionFile())

export const actionEndpoints = [list, undo, csv, json]
