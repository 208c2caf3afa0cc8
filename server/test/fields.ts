import type { CustomField } from '@pennant/contract/custom-field-values.ts'
import { updateSettings } from '@pennant/contract/admin-settings.ts'
import type { Contest, Member } from './harness.ts'

/** A field without limits that asks teams at registration, and that only organisers see. */
export function textField(id: string, more: Partial<CustomField> = {}): CustomField {
  const common = { id, of: 'team', asked: 'registration', required: false, visible: 'organisers' } as const
  return {
    ...common,
    kind: 'text',
    texts: [{ language: 'en', label: `Label of ${id}` }],
    ...more,
  } as CustomField
}

/** Saves settings as an organiser and returns the response. */
export function saveFields(contest: Contest, { token }: Member, body: object) {
  return contest.call(updateSettings, { token, body: body as { data: object } })
}

const conditions = [{ kind: 'country', who: 'team', countries: ['DE'], isExcluded: false }]

/** Configuration with a field and a rule of eligibility. */
export const withRule = {
  fields: [textField('school')],
  eligibility: [{ id: 'prize', texts: [{ language: 'en', name: 'Prize' }], conditions }],
}

/** A request that corrects an answer of a team. */
export function correctionOf({ id }: Pick<Member, 'id'>) {
  return { params: { of: 'team', id }, body: { data: { fields: { school: 'Hill' } } } }
}

/** A request that decides about a team instead of that rule. */
export function decisionOn({ id }: Pick<Member, 'id'>) {
  return { params: { id, rule: 'prize' }, body: { data: { result: 'eligible', reason: 'They moved.' } } }
}
