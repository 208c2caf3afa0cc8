import * as contract from '@pennant/contract/messages.ts'
import { badPerms, badUnknownUser } from '@pennant/contract/replies.ts'
import { actingOf, on, type Actor, type Endpoint } from '../../../http/handler.ts'
import type { WorldView } from '../../../world/model.ts'
import {
  addAnswer,
  changeOptions,
  changeThread,
  readOptions,
  readQueue,
  threadInScope,
  type Organiser,
} from './admin-store.ts'
import type { MessageDeps } from './routes.ts'
import { mayAnswer, scopeOf } from './rules.ts'
import { readMessages, type ThreadRow } from './store.ts'
import { adminMessageView, adminThreadView, named } from './views.ts'

export type AdminMessageDeps = Omit<MessageDeps, 'destinations' | 'kept' | 'visibility'>

/** Endpoints for those who answer: docs/reference/messages.md#who-answers */
export function adminMessageRoutes(deps: AdminMessageDeps): Endpoint[] {
  return [...queueRoutes(deps), ...changeRoutes(deps), ...optionRoutes(deps)]
}

/** Null for an organiser who may answer nothing. */
function organiserOf(team: Actor, ip: string): Organiser | null {
  const scope = scopeOf(team.perms)
  return scope && { id: team.id, ip, scope, by: actingOf(team) }
}

/** By name. */
function assignableTo(row: ThreadRow, world: WorldView) {
  const able: { id: string; name: string }[] = []
  for (const { id, name, perms, banned } of world.teams())
    if (perms !== 0 && !banned && mayAnswer(perms, row)) able.push({ id, name })
  return able.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, contract.messageLimits.assignable)
}

function queueRoutes({ db, world, personName }: AdminMessageDeps): Endpoint[] {
  return [
    on(contract.listAdminMessageThreads, async ({ query, team }) => {
      const scope = scopeOf(team.perms)
      if (!scope) return badPerms()
      const { filter, challengeId, limit, offset } = query
      const page = { filter, challengeId, scope, organiserId: team.id, limit, offset }
      const { total, rows, counts } = await readQueue(db, page)
      return contract.goodAdminMessageThreads({
        total,
        threads: rows.map((row) => adminThreadView(row, world())),
        counts,
      })
    }),

    on(contract.readAdminMessageThread, async ({ params: { id }, team }) => {
      const scope = scopeOf(team.perms)
      if (!scope) return badPerms()
      const row = await threadInScope(db, id, scope)
      if (!row) return contract.badMessageThread()
      const messages = await readMessages(db, id)
      return contract.goodAdminMessageThread({
        thread: adminThreadView(row, world()),
        messages: messages.map((message) => adminMessageView(message, { world: world(), personName })),
        assignable: assignableTo(row, world()),
      })
    }),
  ]
}

function changeRoutes({ db, world, now }: AdminMessageDeps): Endpoint[] {
  const saved = (row: ThreadRow) => contract.goodAdminMessageUpdate({ thread: adminThreadView(row, world()) })
  const conflictWith = ({ version, assigneeId }: ThreadRow) =>
    contract.badMessageVersion({
      version,
      assignee: assigneeId === null ? null : named(assigneeId, world()),
    })

  return [
    on(contract.answerMessageThread, async ({ params: { id }, body: { data }, team, ip }) => {
      const organiser = organiserOf(team, ip)
      if (!organiser) return badPerms()
      const result = await addAnswer(db, id, { organiser, answer: { ...data, now: now() } })
      if (!result) return contract.badMessageThread()
      if (result === 'full') return contract.badMessageCount({ max: contract.messageLimits.messages })
      if ('conflict' in result) return conflictWith(result.conflict)
      if ('assigned' in result)
        return contract.badMessageAssigned({ assignee: named(result.assigned, world()) })
      return saved(result.thread)
    }),

    on(contract.updateMessageThread, async ({ params: { id }, body: { data }, team, ip }) => {
      const organiser = organiserOf(team, ip)
      if (!organiser) return badPerms()
      const { assigneeId = null } = data
      const perms = assigneeId === null ? null : (world().team(assigneeId)?.perms ?? 0)
      const mayAssign = (row: ThreadRow) => perms === null || mayAnswer(perms, row)
      const result = await changeThread(db, id, { organiser, patch: data, mayAssign })
      if (!result) return contract.badMessageThread()
      if (result === 'assignee') return badUnknownUser()
      return 'conflict' in result ? conflictWith(result.conflict) : saved(result.thread)
    }),
  ]
}

function optionRoutes({ db }: AdminMessageDeps): Endpoint[] {
  return [
    on(contract.readMessageOptions, async ({ team }) => {
      if (!scopeOf(team.perms)) return badPerms()
      return contract.goodMessageOptions({ options: await readOptions(db) })
    }),

    on(contract.updateMessageOptions, async ({ body: { data }, team, ip }) => {
      const { version, ...patch } = data
      const result = await changeOptions(
        db,
        { version, patch },
        { id: team.id, ip, scope: 'all', by: actingOf(team) },
      )
      if ('conflict' in result)
        return contract.badMessageVersion({ version: result.conflict, assignee: null })
      return contract.goodMessageOptions({ options: result })
    }),
  ]
}
