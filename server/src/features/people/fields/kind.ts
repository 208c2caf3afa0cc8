import { eligibilityLimits } from '@pennant/contract/eligibility.ts'
import { z } from 'zod'
import type { Kind } from '../../contest/kinds/kind.ts'
import { undoOfChange } from '../../contest/kinds/undo-kind.ts'
import {
  decisionRows,
  personAnswerRows,
  readDecisions,
  teamAnswerRows,
} from '../../site/custom-fields/rows.ts'
import { decide, loggedDecision } from './store.ts'

const Logged = z
  .object({ result: z.enum(['eligible', 'not']), reason: z.string().max(eligibilityLimits.reason) })
  .nullable()

/** The earlier decision, or none. */
const undoDecision = undoOfChange(({ id, before }) => {
  const [[rule, value] = ['', null]] = Object.entries(before)
  const decision = Logged.safeParse(value)
  if (!decision.success) return null
  return {
    perms: ['usersWrite'],
    async current(tx) {
      const row = (await readDecisions(tx, [id])).find((each) => each.rule === rule)
      return loggedDecision(rule, row)
    },
    async apply(tx, { actorId, ip, undoes }) {
      const { result = null, reason = '' } = decision.data ?? {}
      const isDone = await decide(tx, { teamId: id, rule, result, reason }, { actorId, ip, undoes })
      return isDone ? [] : [rule]
    },
  }
})

export const fieldKind: Kind = {
  rows: [teamAnswerRows, personAnswerRows, decisionRows],
  undo: { 'eligibility.decide': undoDecision },
}
