import sql from 'sql-template-tag'
import { recordAdminAction, type ActionBy } from '../../../db/admin-actions.ts'
import type { ChangeTransaction } from '../../../db/database.ts'
import { loggedChange } from '../../../lib/logged-fields.ts'
import { decisionRows, readDecisions } from '../../site/custom-fields/rows.ts'
import { writeAnswers, type OwnAnswers } from '../../site/custom-fields/store.ts'

/** Stores what an organiser corrected. The log names the fields, not the answers, which are personal. */
export async function correct(
  tx: ChangeTransaction,
  { owner, answers }: OwnAnswers,
  by: ActionBy,
): Promise<void> {
  await writeAnswers(tx, [{ owner, answers }])
  const target = 'teamId' in owner ? owner.teamId : owner.personId
  const keys = answers.map(({ field }) => field)
  await tx.query(recordAdminAction({ ...by, action: 'answers.update', target, keys }))
}

export interface Decided {
  readonly teamId: string
  readonly rule: string
  /** Null: the rule decides again. */
  readonly result: 'eligible' | 'not' | null
  readonly reason: string
}

/** False if the team no longer exists. */
export async function decide(
  tx: ChangeTransaction,
  { teamId, rule, result, reason }: Decided,
  by: ActionBy,
): Promise<boolean> {
  const team = await tx.query(sql`select 1 from teams where id = ${teamId} for share`)
  if (team.length === 0) return false
  const before = (await readDecisions(tx, [teamId])).find((row) => row.rule === rule)
  await tx.query(sql`delete from eligibility_decisions where team_id = ${teamId} and rule = ${rule}`)
  if (result !== null)
    await tx.query(sql`
      insert into eligibility_decisions (team_id, rule, result, reason, decided_by)
      values (${teamId}, ${rule}, ${result}, ${reason}, ${by.actorId})`)
  tx.changed(decisionRows, [teamId])
  const change = loggedChange(
    loggedDecision(rule, before),
    loggedDecision(rule, result && { result, reason }),
  )
  await tx.query(recordAdminAction({ ...by, ...change, action: 'eligibility.decide', target: teamId }))
  return true
}

export function loggedDecision(
  rule: string,
  decision: { readonly result: 'eligible' | 'not'; readonly reason: string } | null | undefined,
) {
  return { [rule]: decision ? { result: decision.result, reason: decision.reason } : null }
}
