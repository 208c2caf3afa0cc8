import type { CustomField } from '@pennant/contract/custom-field-values.ts'
import type { EligibilityRule } from '@pennant/contract/eligibility.ts'
import type { CustomFields, EligibilityRules } from '@pennant/contract/custom-field-schemas.ts'
import type { z } from 'zod'
import type { SettingsOverrides } from '../../../world/model.ts'

/** What the deployment asks for, where organisers have set nothing. */
export interface FieldDefaults {
  readonly fields?: readonly CustomField[] | undefined
  readonly eligibility?: readonly EligibilityRule[] | undefined
}

/** The fields and rules that apply: docs/reference/fields.md */
export interface Definitions {
  readonly fields: readonly CustomField[]
  readonly eligibility: readonly EligibilityRule[]
}

const NONE: readonly never[] = []

export function definitionsOf(defaults: FieldDefaults, overrides: SettingsOverrides): Definitions {
  return {
    // They were checked when they were saved.
    fields: (overrides.fields as readonly CustomField[] | undefined) ?? defaults.fields ?? NONE,
    eligibility:
      (overrides.eligibility as readonly EligibilityRule[] | undefined) ?? defaults.eligibility ?? NONE,
  }
}

/** The fields that ask a team, or each person. */
export function fieldsOf(
  { fields }: Pick<Definitions, 'fields'>,
  of: CustomField['of'],
  asked?: CustomField['asked'],
): CustomField[] {
  return fields.filter((field) => field.of === of && (asked === undefined || field.asked === asked))
}

/** As responses contain them, which are the same objects. */
export function fieldsView(fields: readonly object[]) {
  return fields as z.input<typeof CustomFields>
}

export function rulesView(rules: readonly object[]) {
  return rules as z.input<typeof EligibilityRules>
}
