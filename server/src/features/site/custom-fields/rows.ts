import type { Answers } from '@pennant/contract/custom-field-values.ts'
import sql, { empty, raw } from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import type { WorldView } from '../../../world/model.ts'
import type { RowKind, RowsByKey } from '../../../world/row-kind.ts'
import { millis } from '../../../world/rows.ts'

// Answers and decisions as stored in the database: docs/reference/fields.md

/** Whose answers they are. */
export type Owner = { readonly teamId: string } | { readonly personId: string }

/** All answers of a team or a person, as stored: definitions may have changed since. */
export interface AnswersRow {
  readonly id: string
  /** Of a consent, the latest version that was accepted. */
  readonly answers: Answers
}

const NO_ANSWERS: Answers = {}

type FindAnswers = (id: string) => Answers

function answersKind(kind: string, column: 'team_id' | 'person_id'): RowKind<AnswersRow, FindAnswers> {
  const owner = raw(column)
  return {
    kind,
    read: (db, ids) =>
      db.query<AnswersRow>(sql`
        select ${owner} as id, jsonb_object_agg(field, value order by version) as answers
        from field_answers where ${owner} is not null ${ids ? sql`and ${owner} = any(${ids})` : empty}
        group by 1`),
    keyOf: ({ id }) => id,
    slice: (rows) => (id) => rows.get(id)?.[0]?.answers ?? NO_ANSWERS,
  }
}

export const teamAnswerRows: RowKind<AnswersRow, FindAnswers> = {
  ...answersKind('teamAnswers', 'team_id'),
  isByTeam: true,
}
export const personAnswerRows = answersKind('personAnswers', 'person_id')

/** An organiser's decision about the eligibility of a team. */
export interface DecisionRow {
  readonly teamId: string
  readonly rule: string
  readonly result: 'eligible' | 'not'
  readonly reason: string
  readonly decidedBy: string | null
  readonly decidedAt: number
}

export const decisionRows: RowKind<DecisionRow, RowsByKey<DecisionRow>> = {
  kind: 'eligibilityDecisions',
  read: readDecisions,
  keyOf: ({ teamId }) => teamId,
  compare: (a, b) => (a.rule < b.rule ? -1 : 1),
  slice: (rows) => rows,
  isByTeam: true,
}

export function readDecisions(db: Queries, teamIds?: readonly string[]): Promise<DecisionRow[]> {
  return db.query<DecisionRow>(sql`
    select team_id as "teamId", rule, result, reason, decided_by as "decidedBy",
      ${millis('decided_at')} as "decidedAt"
    from eligibility_decisions ${teamIds ? sql`where team_id = any(${teamIds})` : empty}`)
}

export function decisionOf(
  world: Pick<WorldView, 'rows'>,
  teamId: string,
  rule: string,
): DecisionRow | undefined {
  return world
    .rows(decisionRows)
    .get(teamId)
    ?.find((row) => row.rule === rule)
}
