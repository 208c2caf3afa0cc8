import { fieldText, type CustomField } from '@pennant/contract/custom-field-values.ts'
import {
  eligibilityLimits,
  type ConditionOf,
  type EligibilityCondition,
  type EligibilityRule,
} from '@pennant/contract/eligibility.ts'
import { useId, useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { useConfig } from '../../api/use-contest.ts'
import { useLanguage } from '../../state/preferences.ts'
import { adminFieldMessages } from '../../text/en/admin-fields.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { NumberInput, Select, Textarea, TextInput } from '../../ui/fields/inputs.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { choicesOf, linesOf, useDefinitions, type Definitions } from './definitions.ts'
import { LanguageTexts } from './language-texts.tsx'

/** What the form has of a condition, whichever kind it is. */
interface Draft {
  readonly key: number
  readonly kind: EligibilityCondition['kind']
  readonly who: ConditionOf
  readonly field: string
  readonly on: string
  readonly min: number | null
  readonly max: number | null
  readonly list: string
  readonly isExcluded: boolean
}

const KIND_OF = { age: 'date', country: 'country', choice: 'choice' } as const

let lastKey = 0
const emptyDraft = (): Draft => ({
  key: (lastKey += 1),
  kind: 'age',
  who: 'all',
  field: '',
  on: '',
  min: null,
  max: null,
  list: '',
  isExcluded: false,
})

function draftOf(condition: EligibilityCondition): Draft {
  const { kind, who } = condition
  const draft = { ...emptyDraft(), kind, who }
  switch (condition.kind) {
    case 'age': {
      const { field, on, min = null, max = null } = condition
      return { ...draft, field, on, min, max }
    }
    case 'country': {
      const { field = '', countries, isExcluded } = condition
      return { ...draft, field, isExcluded, list: countries.join(' ') }
    }
    case 'domain':
      return { ...draft, list: condition.domains.join('\n') }
    case 'choice':
      return { ...draft, field: condition.field, list: condition.values.join('\n') }
  }
}

function conditionOf({ kind, who, field, on, min, max, list, isExcluded }: Draft): EligibilityCondition {
  switch (kind) {
    case 'age':
      return { kind, who, field, on, ...(min !== null && { min }), ...(max !== null && { max }) }
    case 'country': {
      const countries = list
        .toUpperCase()
        .split(/[\s,]+/)
        .filter(Boolean)
      return { kind, who, ...(field !== '' && { field }), countries, isExcluded }
    }
    case 'domain':
      return { kind, who, domains: linesOf(list) }
    case 'choice':
      return { kind, who, field, values: linesOf(list) }
  }
}

interface RuleDraft {
  readonly id: string
  readonly texts: EligibilityRule['texts']
  /** Empty for all. */
  readonly division: string
  readonly conditions: readonly Draft[]
}

function ruleDraftOf(rule: EligibilityRule | null, language: string): RuleDraft {
  const { id = '', texts = [{ language, name: '' }], division = '' } = rule ?? {}
  return { id, texts, division, conditions: rule?.conditions.map(draftOf) ?? [emptyDraft()] }
}

interface RuleDialogProps {
  /** Null for a new one. */
  readonly rule: EligibilityRule | null
  readonly definitions: Definitions
  readonly onClose: () => void
}

export function RuleDialog({ rule, definitions, onClose }: RuleDialogProps) {
  const text = useMessages(adminFieldMessages)
  const form = useId()
  const language = useLanguage()
  const definition = useDefinitions(definitions)
  const [draft, setDraft] = useState(() => ruleDraftOf(rule, language))
  const save = async () => {
    const { id, texts, division, conditions } = draft
    const next: EligibilityRule = {
      id: id.trim(),
      texts,
      ...(division !== '' && { division }),
      conditions: conditions.map(conditionOf),
    }
    const eligibility = rule
      ? definitions.eligibility.map((each) => (each.id === rule.id ? next : each))
      : [...definitions.eligibility, next]
    if (await definition.save({ eligibility })) onClose()
  }
  return (
    <Dialog
      open
      size="large"
      onClose={onClose}
      title={rule ? text.editOf(rule.id) : text.newRule}
      actions={
        <Button tone="primary" type="submit" form={form} busy={definition.isPending}>
          {text.save}
        </Button>
      }
    >
      <form
        id={form}
        noValidate
        className="pn-stack pn-gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <RuleInputs
          draft={draft}
          isNew={rule === null}
          fields={definitions.fields}
          set={(change) => setDraft((now) => ({ ...now, ...change }))}
        />
        <FailureLine>{definition.failure}</FailureLine>
      </form>
    </Dialog>
  )
}

interface RuleInputsProps {
  readonly draft: RuleDraft
  readonly isNew: boolean
  readonly fields: readonly CustomField[]
  readonly set: (change: Partial<RuleDraft>) => void
}

function RuleInputs({ draft: { id, texts, division, conditions }, isNew, fields, set }: RuleInputsProps) {
  const text = useMessages(adminFieldMessages)
  const divisions = Object.entries(useConfig()?.divisions ?? {})
  return (
    <>
      <TextInput
        label={text.id}
        help={text.idHelp}
        value={id}
        onChange={(next) => set({ id: next })}
        readOnly={!isNew}
        required
        mono
        maxLength={32}
        autoComplete="off"
      />
      <LanguageTexts
        texts={texts}
        onChange={(next) => set({ texts: next })}
        empty={(tag) => ({ language: tag, name: '' })}
      >
        {(each, change) => (
          <TextInput
            label={text.name}
            value={each.name}
            onChange={(name) => change({ name })}
            required
            maxLength={eligibilityLimits.name}
          />
        )}
      </LanguageTexts>
      <Select
        label={text.division}
        value={division}
        onChange={(next) => set({ division: next })}
        choices={[
          { value: '', label: text.anyDivision },
          ...divisions.map(([value, label]) => ({ value, label })),
        ]}
      />
      {conditions.map((condition, at) => (
        <Condition
          key={condition.key}
          number={at + 1}
          draft={condition}
          fields={fields}
          set={(change) => set({ conditions: conditions.with(at, { ...condition, ...change }) })}
          onRemove={conditions.length === 1 ? null : () => set({ conditions: conditions.toSpliced(at, 1) })}
        />
      ))}
      {conditions.length < eligibilityLimits.conditions && (
        <Button icon="plus" onClick={() => set({ conditions: [...conditions, emptyDraft()] })}>
          {text.addCondition}
        </Button>
      )}
    </>
  )
}

interface ConditionProps {
  readonly number: number
  readonly draft: Draft
  readonly fields: readonly CustomField[]
  readonly set: (change: Partial<Draft>) => void
  /** Null for the only one. */
  readonly onRemove: (() => void) | null
}

function Condition({ number, draft, fields, set, onRemove }: ConditionProps) {
  const text = useMessages(adminFieldMessages)
  return (
    <fieldset className="pn-stack pn-gap-3">
      <legend>{text.condition(number)}</legend>
      <Select
        label={text.conditionKind}
        value={draft.kind}
        onChange={(kind) => set({ kind: kind as Draft['kind'], field: '', list: '' })}
        choices={choicesOf(text.conditionKinds)}
      />
      <Select
        label={text.who}
        value={draft.who}
        onChange={(who) => set({ who: who as ConditionOf, field: '' })}
        choices={choicesOf(text.whos)}
      />
      {draft.kind !== 'domain' && <FieldChoice {...{ draft, fields, set }} kind={draft.kind} />}
      <Values draft={draft} set={set} />
      {onRemove && (
        <Button icon="trash" onClick={onRemove}>
          {text.removeCondition(number)}
        </Button>
      )}
    </fieldset>
  )
}

type FieldChoiceProps = Pick<ConditionProps, 'draft' | 'fields' | 'set'> & {
  readonly kind: keyof typeof KIND_OF
}

function FieldChoice({ draft, fields, set, kind }: FieldChoiceProps) {
  const text = useMessages(adminFieldMessages)
  const language = useLanguage()
  const fitting = fields.filter(
    (field) => field.kind === KIND_OF[kind] && (field.of === 'team') === (draft.who === 'team'),
  )
  const isProfile = kind === 'country' && draft.who === 'team'
  const none = isProfile ? text.profileCountry : fitting.length === 0 ? text.noField : '–'
  return (
    <Select
      label={text.field}
      value={draft.field}
      onChange={(field) => set({ field })}
      choices={[
        { value: '', label: none },
        ...fitting.map((field) => ({ value: field.id, label: fieldText(field, language).label })),
      ]}
    />
  )
}

function Values({ draft, set }: Pick<ConditionProps, 'draft' | 'set'>) {
  const text = useMessages(adminFieldMessages)
  const list = (label: string, help: string) => (
    <Textarea
      label={label}
      help={help}
      value={draft.list}
      onChange={(next) => set({ list: next })}
      required
    />
  )
  switch (draft.kind) {
    case 'age':
      return (
        <>
          <TextInput type="date" label={text.on} value={draft.on} onChange={(on) => set({ on })} required />
          <NumberInput
            label={text.minAge}
            value={draft.min}
            onChange={(min) => set({ min })}
            min={0}
            max={150}
          />
          <NumberInput
            label={text.maxAge}
            value={draft.max}
            onChange={(max) => set({ max })}
            min={0}
            max={150}
          />
        </>
      )
    case 'country':
      return (
        <>
          {list(text.countries, text.countriesHelp)}
          <Switch
            kind="checkbox"
            label={text.isExcluded}
            checked={draft.isExcluded}
            onChange={(isExcluded) => set({ isExcluded })}
          />
        </>
      )
    case 'domain':
      return list(text.domains, text.domainsHelp)
    case 'choice':
      return list(text.values, text.valuesHelp)
  }
}
