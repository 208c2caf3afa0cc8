import { ruleName } from '../../api/fields.ts'
import { fieldText, type CustomField } from '@pennant/contract/custom-field-values.ts'
import type { EligibilityRule } from '@pennant/contract/eligibility.ts'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useConditions } from '../../account/eligibility-list.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { divisionName, useConfig } from '../../api/use-contest.ts'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { useLanguage } from '../../state/preferences.ts'
import { adminFieldMessages } from '../../text/en/admin-fields.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { DataTable, type Column } from '../../ui/data/data-table.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { definitionsQuery, useDefinitions, type Definitions } from './definitions.ts'
import { FieldDialog } from './field-dialog.tsx'
import { RuleDialog } from './rule-dialog.tsx'

/** What organisers ask for, and the rules of eligibility. */
export function Fields() {
  const query = useQuery(definitionsQuery)
  if (!query.data) return <Waiting query={query} rows={4} />
  const { fields, eligibility, answers } = query.data
  const definitions = { fields, eligibility } as Definitions
  return (
    <div className="pn-stack pn-gap-4">
      <FieldList definitions={definitions} counts={answers} />
      <RuleList definitions={definitions} />
    </div>
  )
}

interface ListProps {
  readonly definitions: Definitions
}

function FieldList({
  definitions,
  counts,
}: ListProps & { readonly counts: Readonly<Record<string, number>> }) {
  const text = useMessages(adminFieldMessages)
  const format = useFormat()
  const language = useLanguage()
  const definition = useDefinitions(definitions)
  const [edited, setEdited] = useState<CustomField | 'new' | null>(null)
  const [deleted, setDeleted] = useState<CustomField | null>(null)
  const { fields } = definitions
  const nameOf = (field: CustomField) => fieldText(field, language).label
  const columns = useFieldColumns(counts, (field) => (
    <RowActions
      name={nameOf(field)}
      onUp={fields[0] === field ? null : () => void definition.save({ fields: movedUp(fields, field) })}
      onEdit={() => setEdited(field)}
      onDelete={() => setDeleted(field)}
    />
  ))
  const remove = async (field: CustomField) => {
    const isDone = await definition.save(
      { fields: fields.filter((each) => each !== field) },
      counts[field.id] ?? 0,
    )
    if (isDone) setDeleted(null)
  }
  return (
    <Section title={text.fields}>
      <p>{text.about}</p>
      <FailureLine>{definition.failure}</FailureLine>
      <DataTable
        cards
        label={text.fields}
        columns={columns}
        rows={fields}
        rowId={({ id }) => id}
        empty={<EmptyState isPart>{text.noFields}</EmptyState>}
      />
      <Button icon="plus" onClick={() => setEdited('new')}>
        {text.newField}
      </Button>
      {edited && (
        <FieldDialog
          field={edited === 'new' ? null : edited}
          definitions={definitions}
          onClose={() => setEdited(null)}
        />
      )}
      <Confirm
        open={deleted !== null}
        onClose={() => setDeleted(null)}
        onConfirm={() => deleted && void remove(deleted)}
        title={deleted ? text.deleteTitle(nameOf(deleted)) : ''}
        action={text.delete}
      >
        <p>{text.deleteAbout(format.number(deleted ? (counts[deleted.id] ?? 0) : 0))}</p>
        <FailureLine>{definition.failure}</FailureLine>
      </Confirm>
    </Section>
  )
}

function useFieldColumns(
  counts: Readonly<Record<string, number>>,
  actions: (field: CustomField) => ReactNode,
): Column<CustomField>[] {
  const text = useMessages(adminFieldMessages)
  const format = useFormat()
  const language = useLanguage()
  return [
    { id: 'label', head: text.label, cell: (field) => <bdi>{fieldText(field, language).label}</bdi> },
    { id: 'id', head: text.id, cell: ({ id }) => <code>{id}</code> },
    { id: 'kind', head: text.kind, cell: ({ kind }) => text.kinds[kind] },
    { id: 'of', head: text.of, cell: ({ of }) => text.ofs[of] },
    { id: 'asked', head: text.asked, cell: ({ asked }) => text.askedAt[asked] },
    {
      id: 'required',
      head: text.required,
      cell: ({ required }) => (required ? text.required : text.optional),
    },
    { id: 'visible', head: text.visible, cell: ({ visible }) => text.visibles[visible] },
    { id: 'count', head: text.count, align: 'end', cell: ({ id }) => format.number(counts[id] ?? 0) },
    { id: 'actions', head: text.actions, stays: true, cell: actions },
  ]
}

function RuleList({ definitions }: ListProps) {
  const text = useMessages(adminFieldMessages)
  const language = useLanguage()
  const config = useConfig()
  const describe = useConditions()
  const definition = useDefinitions(definitions)
  const [edited, setEdited] = useState<EligibilityRule | 'new' | null>(null)
  const rules = definitions.eligibility
  const columns: Column<EligibilityRule>[] = [
    { id: 'name', head: text.name, cell: (rule) => <bdi>{ruleName(rule, language)}</bdi> },
    {
      id: 'division',
      head: text.division,
      cell: ({ division }) =>
        division === undefined ? text.anyDivision : <bdi>{divisionName(config?.divisions, division)}</bdi>,
    },
    {
      id: 'conditions',
      head: text.rules,
      cell: ({ conditions }) => (
        <ul className="pn-words">
          {conditions.map((condition) => (
            <li key={JSON.stringify(condition)}>{describe(condition)}</li>
          ))}
        </ul>
      ),
    },
    {
      id: 'actions',
      head: text.actions,
      stays: true,
      cell: (rule) => (
        <RowActions
          name={ruleName(rule, language)}
          onUp={rules[0] === rule ? null : () => void definition.save({ eligibility: movedUp(rules, rule) })}
          onEdit={() => setEdited(rule)}
          onDelete={() => void definition.save({ eligibility: rules.filter((each) => each !== rule) })}
        />
      ),
    },
  ]
  return (
    <Section title={text.rules}>
      <p>{text.rulesAbout}</p>
      <FailureLine>{definition.failure}</FailureLine>
      <DataTable
        cards
        label={text.rules}
        columns={columns}
        rows={rules}
        rowId={({ id }) => id}
        empty={<EmptyState isPart>{text.noRules}</EmptyState>}
      />
      <Button icon="plus" onClick={() => setEdited('new')}>
        {text.newRule}
      </Button>
      {edited && (
        <RuleDialog
          rule={edited === 'new' ? null : edited}
          definitions={definitions}
          onClose={() => setEdited(null)}
        />
      )}
    </Section>
  )
}

function movedUp<T>(list: readonly T[], item: T): T[] {
  const at = list.indexOf(item)
  return list.toSpliced(at, 1).toSpliced(at - 1, 0, item)
}

interface RowActionsProps {
  readonly name: string
  /** Null for the first one. */
  readonly onUp: (() => void) | null
  readonly onEdit: () => void
  readonly onDelete: () => void
}

function RowActions({ name, onUp, onEdit, onDelete }: RowActionsProps) {
  const text = useMessages(adminFieldMessages)
  return (
    <span className="pn-line pn-gap-2">
      <Button aria-label={text.editOf(name)} onClick={onEdit}>
        {text.edit}
      </Button>
      {onUp && <Button aria-label={text.moveUpOf(name)} onClick={onUp} icon="chevronUp" />}
      <Button tone="danger" icon="trash" aria-label={text.deleteOf(name)} onClick={onDelete}>
        {text.delete}
      </Button>
    </span>
  )
}
