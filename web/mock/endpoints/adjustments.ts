import { badUnknownUser } from '@pennant/contract/replies.ts'
import * as contract from '@pennant/contract/score-adjustments.ts'
import { on } from '../handler.ts'
import type { World } from '../world.ts'

interface NewAdjustment {
  readonly teamId: string
  readonly points: number
  readonly reason: string
}

/** Adds an adjustment by the organisers. */
export function adjust(world: World, { teamId, points, reason }: NewAdjustment) {
  const adjustment = {
    id: world.nextId('adjustment'),
    teamId,
    teamName: world.teams.get(teamId)?.name ?? '',
    points,
    reason,
    kind: 'manual' as const,
    at: world.now(),
    createdBy: null,
    createdByName: null,
    undoneAt: null,
    undoneBy: null,
    undoneByName: null,
  }
  world.adjustments.push(adjustment)
  world.version++
  return adjustment
}

const list = on(contract.listScoreAdjustments, ({ world, params }) => {
  if (!world.teams.has(params.id)) return badUnknownUser()
  const own = world.adjustments.filter((row) => row.teamId === params.id && row.undoneAt === null)
  const adjustments = own.map(({ id, points, reason, kind, at }) => ({ id, points, reason, kind, at }))
  return contract.goodScoreAdjustments({ adjustments: adjustments.toReversed() })
})

const listAll = on(contract.listAdminScoreAdjustments, ({ world, query: { userId, limit, offset } }) => {
  const rows = world.adjustments.filter(({ teamId }) => userId === undefined || teamId === userId)
  const page = rows.toReversed().slice(offset, offset + limit)
  return contract.goodAdminScoreAdjustments({ total: rows.length, adjustments: page })
})

const create = on(contract.createScoreAdjustment, ({ world, body: { data } }) => {
  const { userId: teamId, points, reason } = data
  if (!world.teams.has(teamId)) return badUnknownUser()
  return contract.goodScoreAdjustment({ adjustment: adjust(world, { teamId, points, reason }) })
})

const undo = on(contract.undoScoreAdjustment, ({ world, params: { id } }) => {
  const at = world.adjustments.findIndex((row) => row.id === id)
  const old = world.adjustments[at]
  if (!old) return contract.badScoreAdjustment()
  if (old.undoneAt !== null) return contract.badScoreAdjustmentUndone()
  const adjustment = { ...old, undoneAt: world.now() }
  world.adjustments.splice(at, 1, adjustment)
  world.version++
  return contract.goodScoreAdjustmentUndo({ adjustment })
})

export const adjustmentEndpoints = [list, listAll, create, undo]
