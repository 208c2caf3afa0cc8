import {
  maySeeField,
  missingFields,
  type Answers,
  type CustomField,
} from '@pennant/contract/custom-field-values.ts'
import * as contract from '@pennant/contract/custom-fields.ts'
import { badUnknownUser } from '@pennant/contract/replies.ts'
import type { Database } from '../../../db/database.ts'
import { on, ownsCredentials, type Actor, type Endpoint } from '../../../http/handler.ts'
import type { TeamRow, WorldView } from '../../../world/model.ts'
import { isIn } from '../../contest/visibility/rules.ts'
import type { Visibility } from '../../contest/visibility/visibility.ts'
import { answersTo } from '../../site/custom-fields/check.ts'
import { fieldsOf, fieldsView, rulesView, type Definitions } from '../../site/custom-fields/definitions.ts'
import { teamAnswerRows, personAnswerRows, type Owner } from '../../site/custom-fields/rows.ts'
import { writeAnswers, type NewAnswer } from '../../site/custom-fields/store.ts'
import { personRows } from '../persons/rows.ts'
import { personAnswers, personFields, resultsOf, teamAnswers, type FieldsContext } from './eligibility.ts'
import { eligibilityView } from './views.ts'

export interface FieldDeps {
  readonly db: Database
  readonly world: () => WorldView
  readonly visibility: Visibility
  /** Resolves once this process's world includes everything committed before the call. */
  readonly caughtUp: () => Promise<void>
  readonly definitions: () => Definitions
  readonly hasPeople: boolean
}

export function contextOf({ world, definitions, hasPeople }: FieldDeps): FieldsContext {
  return { world: world(), definitions: definitions(), hasPeople }
}

/** What teams and people are asked, and what they answer. */
export function fieldRoutes(deps: FieldDeps): Endpoint[] {
  return [
    on(contract.listFields, () => {
      const { fields, eligibility } = deps.definitions()
      return contract.goodFields({ fields: fieldsView(fields), eligibility: rulesView(eligibility) })
    }),

    on(contract.readProfileAnswers, ({ params: { id }, viewer }) => {
      const { world, extent } = deps.visibility.seenBy(viewer)
      const team = world.team(id)
      if (!team || team.banned || !isIn(extent.profiles, team.division)) return badUnknownUser()
      return contract.goodProfileAnswers({ answers: publicAnswers(contextOf(deps), team) })
    }),

    ...teamRoutes(deps),
    ...personRoutes(deps),
  ]
}

function publicAnswers(context: FieldsContext, { id }: TeamRow) {
  const open = context.definitions.fields.filter((field) => maySeeField(field, 'everyone'))
  const people = context.hasPeople ? context.world.rows(personRows).ofTeam(id) : []
  const ofTeam = teamAnswers(context, id)
  const ofPeople = people.map((person) => personAnswers(context, person.id))
  return open.flatMap(({ id: field, of }) => {
    const given = of === 'team' ? [ofTeam[field]] : ofPeople.map((answers) => answers[field])
    const values = [...new Set(given.filter((value) => value !== undefined))].toSorted()
    return values.length > 0 ? [{ field, values }] : []
  })
}

/** The answers to the fields that a reader may see. */
function shownTo(
  reader: Parameters<typeof maySeeField>[1],
  fields: readonly CustomField[],
  answers: Answers,
): Answers {
  const open = fields.filter((field) => maySeeField(field, reader))
  return Object.fromEntries(open.flatMap(({ id }) => (answers[id] === undefined ? [] : [[id, answers[id]]])))
}

/** Resolves once this process knows the answers, so that the reply and the next request have them. */
async function store(deps: FieldDeps, owner: Owner, answers: readonly NewAnswer[]): Promise<void> {
  await deps.db.change((tx) => writeAnswers(tx, [{ owner, answers }]))
  await deps.caughtUp()
}

function teamRoutes(deps: FieldDeps): Endpoint[] {
  /** Others of the team neither see nor answer what only organisers and the captain see. */
  const openTo = (actor: Actor) => {
    const reader = ownsCredentials(actor) ? 'owner' : 'team'
    return fieldsOf(deps.definitions(), 'team').filter((field) => maySeeField(field, reader))
  }
  const current = (actor: Actor) => {
    const context = contextOf(deps)
    const row = context.world.team(actor.id)
    const own = openTo(actor)
    const answers = teamAnswers(context, actor.id)
    const fields = personFields(context)
    const mates = context.hasPeople ? context.world.rows(personRows).ofTeam(actor.id) : []
    return contract.goodTeamAnswers({
      answers: shownTo('owner', own, answers),
      missing: actor.perms > 0 ? [] : missingFields(own, answers).map(({ id }) => id),
      mayAnswer: own.map(({ id }) => id),
      people: mates.map(({ id, name }) => ({
        id,
        name,
        answers: shownTo('team', fields, personAnswers(context, id)),
      })),
      eligibility: row && row.perms === 0 ? resultsOf(context, row).map(eligibilityView) : [],
    })
  }
  return [
    on(contract.readTeamAnswers, ({ team }) => current(team)),

    on(contract.writeTeamAnswers, async ({ team, person, body: { fields: given } }) => {
      const stored = deps.world().rows(teamAnswerRows)(team.id)
      const { answers, refused } = answersTo(openTo(team), {
        given,
        stored,
        isComplete: false,
        by: person?.id ?? null,
      })
      if (refused) return refused
      await store(deps, { teamId: team.id }, answers)
      return current(team)
    }),
  ]
}

function personRoutes(deps: FieldDeps): Endpoint[] {
  const current = (personId: string) => {
    const context = contextOf(deps)
    const answers = personAnswers(context, personId)
    const missing = missingFields(personFields(context), answers).map(({ id }) => id)
    return contract.goodPersonAnswers({ answers, missing })
  }
  return [
    on(contract.readPersonAnswers, ({ person }) => current(person.id)),

    on(contract.writePersonAnswers, async ({ person, body: { fields: given } }) => {
      const stored = deps.world().rows(personAnswerRows)(person.id)
      const fields = personFields(contextOf(deps))
      const checked = answersTo(fields, { given, stored, isComplete: false, by: person.id })
      if (checked.refused) return checked.refused
      await store(deps, { personId: person.id }, checked.answers)
      return current(person.id)
    }),
  ]
}
