import * as contract from '@pennant/contract/fair-play-cases.ts'
import { badFairPlayVersion } from '@pennant/contract/fair-play.ts'
import { badMessageCount, messageLimits } from '@pennant/contract/messages.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import { badUnknownUser } from '@pennant/contract/replies.ts'
import { actingOf, on, type Endpoint } from '../../../../http/handler.ts'
import type { FairPlayDeps } from '../routes.ts'
import { decideCase, undoDecision } from './decide.ts'
import { reportOf } from './report.ts'
import * as store from './store.ts'
import { ownCaseView, readCaseView, summaryView } from './views.ts'

export interface CaseDeps extends FairPlayDeps {
  readonly now: () => number
}

/** Endpoints for cases: docs/reference/fair-play.md#cases */
export function caseRoutes(deps: CaseDeps): Endpoint[] {
  return [...readRoutes(deps), ...workRoutes(deps), ...decisionRoutes(deps), ...ownRoutes(deps)]
}

async function shown({ db, world }: CaseDeps, id: string) {
  const row = await store.findCase(db, id)
  return row
    ? contract.goodFairPlayCase({ case: await readCaseView(db, row, world()) })
    : contract.badFairPlayCase()
}

function readRoutes(deps: CaseDeps): Endpoint[] {
  const { db, world } = deps
  return [
    on(contract.listFairPlayCases, async ({ query }) => {
      const { total, rows } = await store.readCases(db, query)
      const view = world()
      return contract.goodFairPlayCases({ total, cases: rows.map((row) => summaryView(row, view)) })
    }),

    on(contract.readFairPlayCase, ({ params: { id } }) => shown(deps, id)),

    on(contract.reportFairPlayCase, async ({ params: { id } }) => {
      const row = await store.findCase(db, id)
      if (!row) return contract.badFairPlayCase()
      const markdown = reportOf(await readCaseView(db, row, world()))
      return contract.goodFairPlayReport({ name: `fair-play-case-${row.number}.md`, markdown })
    }),
  ]
}

function workRoutes(deps: CaseDeps): Endpoint[] {
  const { db, world, now } = deps
  return [
    on(contract.createFairPlayCase, async ({ body: { data }, team, ip }) => {
      const made = await store.openCase(db, data.userIds, { actorId: team.id, ip })
      if (made === 'unknown') return badUnknownUser()
      if (made === 'full') return contract.badFairPlayCaseCount({ max: contract.caseLimits.cases })
      const row = await store.findCase(db, made.id)
      if (!row) throw new Error('a new case is gone')
      return contract.goodFairPlayCase({ case: await readCaseView(db, row, world()) })
    }),

    on(contract.assignFairPlayCase, async ({ params: { id }, body: { data }, team, ip }) => {
      const { assigneeId } = data
      const perms = assigneeId === null ? null : (world().team(assigneeId)?.perms ?? 0)
      if (perms !== null && !hasPermissions(perms, ['fairPlay'])) return badUnknownUser()
      const outcome = await store.assignCase(db, { id, ...data }, { actorId: team.id, ip })
      return typeof outcome === 'object' ? badFairPlayVersion(outcome) : shown(deps, id)
    }),

    on(contract.noteFairPlayCase, async ({ params: { id }, body: { data }, team, ip }) => {
      const outcome = await store.addNote(db, { id, content: data.content }, { actorId: team.id, ip })
      if (outcome === 'full') return contract.badFairPlayCaseCount({ max: contract.caseLimits.notes })
      return shown(deps, id)
    }),

    on(contract.messageFairPlayTeam, async ({ params: { id }, body: { data }, team, ip }) => {
      const message = { id, teamId: data.userId, content: data.content, by: actingOf(team), now: now() }
      const outcome = await store.writeToTeam(db, message, { actorId: team.id, ip })
      if (outcome === 'unknown') return badUnknownUser()
      if (outcome === 'full') return badMessageCount({ max: messageLimits.messages })
      return shown(deps, id)
    }),
  ]
}

function decisionRoutes(deps: CaseDeps): Endpoint[] {
  const { db, now } = deps
  return [
    on(contract.decideFairPlayCase, async ({ params: { id }, body: { data }, team, ip }) => {
      const { version, ...ruling } = data
      const by = { actorId: team.id, ip }
      const outcome = await decideCase(db, { id, version, ...ruling, now: now() }, by)
      if (outcome === 'state') return contract.badFairPlayState()
      if (outcome === 'target') return contract.badFairPlayTarget()
      return typeof outcome === 'object' ? badFairPlayVersion(outcome) : shown(deps, id)
    }),

    on(contract.undoFairPlayDecision, async ({ params: { id }, body: { data }, team, ip }) => {
      const outcome = await undoDecision(db, { id, version: data.version }, { actorId: team.id, ip })
      if (outcome === 'state') return contract.badFairPlayState()
      if (outcome === 'undo') return contract.badFairPlayUndo()
      return typeof outcome === 'object' ? badFairPlayVersion(outcome) : shown(deps, id)
    }),

    on(contract.ruleFairPlayAppeal, async ({ params: { id }, body: { data }, team, ip }) => {
      const answer = { id, teamId: data.userId, ruling: data.ruling, now: now() }
      const outcome = await store.ruleAppeal(db, answer, { actorId: team.id, ip })
      return outcome === 'state' ? contract.badFairPlayState() : shown(deps, id)
    }),
  ]
}

function ownRoutes({ db, now }: CaseDeps): Endpoint[] {
  const own = async (teamId: string) =>
    contract.goodOwnFairPlay({ cases: (await store.readOwnCases(db, teamId)).map(ownCaseView) })
  return [
    on(contract.listOwnFairPlay, ({ team }) => own(team.id)),

    on(contract.appealFairPlay, async ({ params: { id }, body: { content }, team }) => {
      const outcome = await store.appeal(db, { id, teamId: team.id }, { content, now: now() })
      if (outcome === 'gone') return contract.badFairPlayCase()
      return outcome === 'refused' ? contract.badFairPlayAppeal() : own(team.id)
    }),
  ]
}
