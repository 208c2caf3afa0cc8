import { fittingAnswers, missingFields, type CustomField } from '@pennant/contract/custom-field-values.ts'
import * as contract from '@pennant/contract/custom-fields.ts'
import { isAbout } from '@pennant/contract/eligibility.ts'
import { badUnknownUser } from '@pennant/contract/replies.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { groupBy } from '../../../lib/group-by.ts'
import { fieldsOf, fieldsView, rulesView } from '../../site/custom-fields/definitions.ts'
import { answersTo } from '../../site/custom-fields/check.ts'
import { personAnswerRows, teamAnswerRows } from '../../site/custom-fields/rows.ts'
import { countAnswers, valuesOf, type StoredAnswer } from '../../site/custom-fields/store.ts'
import { personRows } from '../persons/rows.ts'
import { personFields, resultsOf } from './eligibility.ts'
import { contextOf, type FieldDeps } from './routes.ts'
import { correct, decide } from './store.ts'
import { adminEligibilityView } from './views.ts'

export function adminFieldRoutes(deps: FieldDeps): Endpoint[] {
  const { db, world, definitions } = deps
  return [
    on(contract.readAdminFields, async () => {
      const { fields, eligibility } = definitions()
      return contract.goodAdminFields({
        fields: fieldsView(fields),
        eligibility: rulesView(eligibility),
        answers: await countAnswers(db),
      })
    }),

    on(contract.listAnswers, async ({ body: { data } }) => {
      const context = contextOf(deps)
      const teams = [...new Set(data.teams)].flatMap((id) => world().team(id) ?? [])
      const people = [...new Set(data.people)].flatMap((id) => world().rows(personRows).find(id) ?? [])
      const ofTeams = await ownerViews(deps, 'team', teams)
      const ofPeople = await ownerViews(deps, 'person', people)
      return contract.goodAdminAnswers({
        teams: teams.map((team, at) => ({
          ...(ofTeams[at] ?? emptyView(team)),
          eligibility: resultsOf(context, team).map((found) => adminEligibilityView(context.world, found)),
        })),
        people: ofPeople,
      })
    }),

    on(
      contract.updateAnswers,
      async ({ params: { of, id }, body: { data }, team: actor, person: by, ip }) => {
        if (of === 'person' && !deps.hasPeople) return contract.badFieldOwner()
        const found = of === 'team' ? world().team(id) : world().rows(personRows).find(id)
        if (!found) return contract.badFieldOwner()
        const context = contextOf(deps)
        const asked = of === 'team' ? fieldsOf(context.definitions, 'team') : personFields(context)
        const stored = world().rows(of === 'team' ? teamAnswerRows : personAnswerRows)(id)
        const fields = asked.filter(({ kind }) => kind !== 'consent')
        const checked = answersTo(fields, {
          given: data.fields,
          stored,
          isComplete: false,
          by: by?.id ?? null,
        })
        if (checked.refused) return checked.refused
        const owner = of === 'team' ? { teamId: id } : { personId: id }
        await db.change((tx) => correct(tx, { owner, answers: checked.answers }, { actorId: actor.id, ip }))
        await deps.caughtUp()
        const [view = emptyView(found)] = await ownerViews(deps, of, [found])
        return contract.goodAdminAnswersUpdate({ owner: view })
      },
    ),

    on(
      contract.decideEligibility,
      async ({ params: { id, rule: ruleId }, body: { data }, team: actor, ip }) => {
        const team = world().team(id)
        if (!team) return badUnknownUser()
        const rule = definitions().eligibility.find((each) => each.id === ruleId)
        if (!rule || !isAbout(rule, team.division)) return contract.badEligibilityRule()
        const decided = { teamId: id, rule: ruleId, ...data }
        const isDone = await db.change((tx) => decide(tx, decided, { actorId: actor.id, ip }))
        if (!isDone) return badUnknownUser()
        await deps.caughtUp()
        const context = contextOf(deps)
        const [found] = resultsOf(context, context.world.team(id) ?? team, [rule])
        if (!found) return contract.badEligibilityRule()
        return contract.goodEligibilityDecision({ eligibility: adminEligibilityView(context.world, found) })
      },
    ),
  ]
}

const emptyView = ({ id }: { readonly id: string }) => ({ id, answers: {}, missing: [], consents: [] })

/** From the database, because the times of consents are not in memory. */
async function ownerViews(
  deps: FieldDeps,
  of: 'team' | 'person',
  owners: readonly { readonly id: string }[],
) {
  const context = contextOf(deps)
  const fields = of === 'team' ? fieldsOf(context.definitions, 'team') : personFields(context)
  const stored = groupBy(
    await valuesOf(
      deps.db,
      of,
      owners.map(({ id }) => id),
    ),
    ({ ownerId }) => ownerId,
  )
  return owners.map(({ id }) => ownerView(id, stored.get(id) ?? [], fields))
}

function ownerView(id: string, rows: readonly StoredAnswer[], fields: readonly CustomField[]) {
  const byVersion = rows.toSorted((a, b) => a.version - b.version)
  const answers = fittingAnswers(
    fields,
    Object.fromEntries(byVersion.map(({ field, value }) => [field, value])),
  )
  const known = new Set(fields.map((field) => field.id))
  const consents = rows.flatMap(({ field, version, answeredAt, answeredBy }) =>
    version > 0 && known.has(field) ? [{ field, version, at: answeredAt, person: answeredBy }] : [],
  )
  return { id, answers, missing: missingFields(fields, answers).map((field) => field.id), consents }
}
