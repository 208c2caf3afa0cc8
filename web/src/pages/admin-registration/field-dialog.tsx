import { fieldLimits, type CustomField, type FieldText } from '@pennant/contract/custom-field-values.ts'
import { useId, useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { useLanguage } from '../../state/preferences.ts'
import { adminFieldMessages } from '../../text/en/admin-fields.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { NumberInput, Select, Textarea, TextInput } from '../../ui/fields/inputs.tsx'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { choicesOf, linesOf, useDefinitions, type Definitions } from './definitions.ts'
import { LanguageTexts } from './language-texts.tsx'

type DraftText = Pick<FieldText, 'language' | 'label'> & Record<'help' | 'content' | 'choices', string>

interface Draft extends Pick<CustomField, 'id' | 'kind' | 'of' | 'asked' | 'required' | 'visible'> {
  readonly texts: readonly DraftText[]
  readonly choices: string
  readonly maxLength: number | null
  readonly min: number | null
  readonly max: number | null
  readonly from: string
  readonly until: string
  readonly version: number | null
}

const emptyText = (language: string): DraftText => ({
  language,
  label: '',
  help: '',
  content: '',
  choices: '',
})

function draftOf(field: CustomField | null, language: string): Draft {
  const { id = '', kind = 'text', of = 'team', asked = 'registration', required = false } = field ?? {}
  const texts = field?.texts.map(({ help = '', content = '', choices = [], ...text }) => ({
    ...text,
    help,
    content,
    choices: choices.join('\n'),
  }))
  const limits = field?.kind === 'number' ? field : { min: undefined, max: undefined }
  const dates = field?.kind === 'date' ? field : { min: undefined, max: undefined }
  return {
    id,
    kind,
    of,
    asked,
    required,
    visible: field?.visible ?? 'organisers',
    texts: texts ?? [emptyText(language)],
    choices: field?.kind === 'choice' ? field.choices.join('\n') : '',
    maxLength: (field?.kind === 'text' && field.maxLength) || null,
    min: limits.min ?? null,
    max: limits.max ?? null,
    from: dates.min ?? '',
    until: dates.max ?? '',
    version: field?.kind === 'consent' ? field.version : 1,
  }
}

function fieldOf(draft: Draft): CustomField {
  const { id, kind, of, asked, required, visible } = draft
  const texts = draft.texts.map(({ language, label, help, content, choices }) => ({
    language,
    label,
    ...(help.trim() !== '' && { help }),
    ...(kind === 'consent' && content.trim() !== '' && { content }),
    ...(kind === 'choice' && choices.trim() !== '' && { choices: linesOf(choices) }),
  }))
  const common = { id: id.trim(), of, asked, required, visible, texts }
  switch (kind) {
    case 'text':
      return { ...common, kind, ...(draft.maxLength !== null && { maxLength: draft.maxLength }) }
    case 'choice':
      return { ...common, kind, choices: linesOf(draft.choices) }
    case 'number':
      return {
        ...common,
        kind,
        ...(draft.min !== null && { min: draft.min }),
        ...(draft.max !== null && { max: draft.max }),
      }
    case 'date':
      return {
        ...common,
        kind,
        ...(draft.from !== '' && { min: draft.from }),
        ...(draft.until !== '' && { max: draft.until }),
      }
    case 'country':
      return { ...common, kind }
    case 'consent':
      return { ...common, kind, version: draft.version ?? 1 }
  }
}

interface FieldDialogProps {
  /** Null for a new one. */
  readonly field: CustomField | null
  readonly definitions: Definitions
  readonly onClose: () => void
}

export function FieldDialog({ field, definitions, onClose }: FieldDialogProps) {
  const text = useMessages(adminFieldMessages)
  const form = useId()
  const language = useLanguage()
  const definition = useDefinitions(definitions)
  const [draft, setDraft] = useState(() => draftOf(field, language))
  const set = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }))
  const save = async () => {
    const next = fieldOf(draft)
    const fields = field
      ? definitions.fields.map((each) => (each.id === field.id ? next : each))
      : [...definitions.fields, next]
    if (await definition.save({ fields })) onClose()
  }
  return (
    <Dialog
      open
      size="large"
      onClose={onClose}
      title={field ? text.editOf(field.id) : text.newField}
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
        <TextInput
          label={text.id}
          help={text.idHelp}
          value={draft.id}
          onChange={(id) => set({ id })}
          readOnly={field !== null}
          required
          mono
          maxLength={32}
          autoComplete="off"
        />
        <Options draft={draft} set={set} />
        <Limits draft={draft} set={set} />
        <LanguageTexts texts={draft.texts} onChange={(texts) => set({ texts })} empty={emptyText}>
          {(each, change) => <TextInputs kind={draft.kind} text={each} set={change} />}
        </LanguageTexts>
        <FailureLine>{definition.failure}</FailureLine>
      </form>
    </Dialog>
  )
}

interface PartProps {
  readonly draft: Draft
  readonly set: (change: Partial<Draft>) => void
}

function Options({ draft, set }: PartProps) {
  const text = useMessages(adminFieldMessages)
  return (
    <>
      <Select
        label={text.kind}
        value={draft.kind}
        onChange={(kind) => set({ kind: kind as Draft['kind'] })}
        choices={choicesOf(text.kinds)}
      />
      <Select
        label={text.of}
        value={draft.of}
        onChange={(of) => set({ of: of as Draft['of'] })}
        choices={choicesOf(text.ofs)}
      />
      <Select
        label={text.asked}
        value={draft.asked}
        onChange={(asked) => set({ asked: asked as Draft['asked'] })}
        choices={choicesOf(text.askedAt)}
      />
      <Select
        label={text.visible}
        value={draft.visible}
        onChange={(visible) => set({ visible: visible as Draft['visible'] })}
        choices={choicesOf(text.visibles)}
      />
      <Switch
        kind="checkbox"
        label={text.isRequired}
        help={text.requiredHelp}
        checked={draft.required}
        onChange={(required) => set({ required })}
      />
    </>
  )
}

function Limits({ draft, set }: PartProps) {
  const text = useMessages(adminFieldMessages)
  switch (draft.kind) {
    case 'text':
      return (
        <NumberInput
          label={text.maxLength}
          value={draft.maxLength}
          onChange={(maxLength) => set({ maxLength })}
          min={1}
          max={fieldLimits.value}
        />
      )
    case 'choice':
      return (
        <Textarea
          label={text.choices}
          help={text.choicesHelp}
          value={draft.choices}
          onChange={(choices) => set({ choices })}
          required
        />
      )
    case 'number':
      return (
        <>
          <NumberInput label={text.min} value={draft.min} onChange={(min) => set({ min })} />
          <NumberInput label={text.max} value={draft.max} onChange={(max) => set({ max })} />
        </>
      )
    case 'date':
      return (
        <>
          <TextInput type="date" label={text.from} value={draft.from} onChange={(from) => set({ from })} />
          <TextInput
            type="date"
            label={text.until}
            value={draft.until}
            onChange={(until) => set({ until })}
          />
        </>
      )
    case 'consent':
      return (
        <NumberInput
          label={text.versionField}
          value={draft.version}
          onChange={(version) => set({ version })}
          min={1}
          required
        />
      )
    case 'country':
      return null
  }
}

interface TextInputsProps {
  readonly kind: Draft['kind']
  readonly text: DraftText
  readonly set: (change: Partial<DraftText>) => void
}

function TextInputs({ kind, text: { label, help, content, choices }, set }: TextInputsProps) {
  const text = useMessages(adminFieldMessages)
  return (
    <>
      <TextInput
        label={text.label}
        value={label}
        onChange={(next) => set({ label: next })}
        required
        maxLength={fieldLimits.label}
      />
      <TextInput
        label={text.help}
        value={help}
        onChange={(next) => set({ help: next })}
        maxLength={fieldLimits.help}
      />
      {kind === 'consent' && (
        <Textarea
          label={text.content}
          help={text.contentHelp}
          value={content}
          onChange={(next) => set({ content: next })}
          maxLength={fieldLimits.content}
        />
      )}
      {kind === 'choice' && (
        <Textarea
          label={text.choiceNames}
          help={text.choiceNamesHelp}
          value={choices}
          onChange={(next) => set({ choices: next })}
        />
      )}
    </>
  )
}
