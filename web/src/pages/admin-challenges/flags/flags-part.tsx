import { defaultFlagProvider, listFlagProviders } from '@pennant/contract/admin-challenges.ts'
import { maxFlagLength } from '@pennant/contract/submissions.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { ask } from '../../../api/client.ts'
import { ownKey } from '../../../api/queries.ts'
import { refresh } from '../../../state/live.ts'
import { useText } from '../../../text/catalogue.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { FieldError, StillProvider, Writing } from '../../../ui/fields/field.tsx'
import { FieldGroup } from '../../../ui/fields/field-group.tsx'
import { Select, TextInput } from '../../../ui/fields/inputs.tsx'
import type { CountBroken } from '../../../ui/schema/broken-json.ts'
import { SchemaForm } from '../../../ui/schema/schema-form.tsx'
import { initialOf, isObject, type Json, type Schema } from '../../../ui/schema/schema-values.ts'
import styles from '../challenges.module.css'
import type { Draft } from '../draft.ts'
import { useRowKeys } from '../row-keys.ts'
import type { Editor } from '../use-editor.ts'
import { words } from '../words.ts'
import { useVerdict } from './try-pattern.ts'

/** As the API takes. */
const MOST_FLAGS = 100
const REGEX = 'flags/regex'

type Flag = Draft['flags'][number]
type Provider = Awaited<ReturnType<typeof ask<typeof listFlagProviders>>>['providers'][number]

/** Where the list of kinds cannot be read, flags are plain texts. */
const PLAIN: Provider = {
  name: defaultFlagProvider,
  schema: { type: 'object', properties: { flag: { type: 'string' } }, required: ['flag'] },
}

/** What solves the challenge: one entry is enough to match. */
export function FlagsPart({ editor }: { readonly editor: Editor }) {
  const text = useText(words)
  const { draft, set, problems, count } = editor
  const onBroken = useCallback<CountBroken>((by) => count('flags', by), [count])
  const { data } = useQuery({
    queryKey: [ownKey, 'flag-providers'],
    queryFn: ({ signal }) => ask(listFlagProviders, {}, { signal }),
    ...refresh(null),
  })
  const providers = data?.providers ?? [PLAIN]
  const usual = providers.find(({ name }) => name === data?.defaultProvider) ?? PLAIN
  const { flags } = draft
  const keys = useRowKeys(flags)
  return (
    <div className={styles.form}>
      <p className={styles.small}>{text.flags.about}</p>
      {draft.scoring.kind === 'dynamic' && <p>{text.flags.dynamic}</p>}
      {problems.flags && <FieldError id="flags-error">{problems.flags}</FieldError>}
      {flags.map((flag, at) => (
        <Entry
          key={keys[at]}
          number={at + 1}
          flag={flag}
          providers={providers}
          onChange={(next) => set({ flags: flags.with(at, next) })}
          onRemove={() => set({ flags: flags.toSpliced(at, 1) })}
          onBroken={onBroken}
        />
      ))}
      <Writing>
        <div>
          <Button
            icon="plus"
            disabledBecause={flags.length >= MOST_FLAGS ? text.flags.tooMany(MOST_FLAGS) : undefined}
            onClick={() => set({ flags: [...flags, newFlag(usual)] })}
          >
            {text.flags.add}
          </Button>
        </div>
      </Writing>
    </div>
  )
}

interface EntryProps {
  readonly number: number
  readonly flag: Flag
  readonly providers: readonly Provider[]
  readonly onChange: (flag: Flag) => void
  readonly onRemove: () => void
  readonly onBroken: CountBroken
}

function Entry({ number, flag, providers, onChange, onRemove, onBroken }: EntryProps) {
  const text = useText(words)
  const provider = providers.find(({ name }) => name === flag.provider)
  const names = [...new Set([...providers.map(({ name }) => name), flag.provider])]
  const choose = (name: string) => {
    const chosen = providers.find((known) => known.name === name)
    if (chosen && name !== flag.provider) onChange(newFlag(chosen))
  }
  return (
    <FieldGroup title={text.flags.entry(number)}>
      <Select
        label={text.flags.kind}
        value={flag.provider}
        choices={names.map((value) => ({ value, label: value }))}
        onChange={choose}
      />
      <SchemaForm
        key={flag.provider}
        label={text.flags.settings(number)}
        schema={(provider?.schema ?? {}) as Schema}
        value={flag.config as Json}
        onChange={(config) => onChange({ ...flag, config: isObject(config) ? config : {} })}
        onBroken={onBroken}
      />
      {flag.provider === REGEX && (
        // To try a text changes nothing.
        <StillProvider value={false}>
          <TestBox config={flag.config} />
        </StillProvider>
      )}
      <Writing>
        <div>
          <Button tone="danger" icon="trash" onClick={onRemove}>
            {text.flags.remove(number)}
          </Button>
        </div>
      </Writing>
    </FieldGroup>
  )
}

/** Whether a text would be taken, as far as this browser can tell. */
function TestBox({ config: { pattern, flags } }: { readonly config: Flag['config'] }) {
  const text = useText(words)
  const [typed, setTyped] = useState('')
  const verdict = useVerdict({ pattern: stringOf(pattern), flags: stringOf(flags), text: typed })
  return (
    <>
      <TextInput mono label={text.flags.test} maxLength={maxFlagLength} value={typed} onChange={setTyped} />
      <p role="status">{verdict && text.flags.verdicts[verdict]}</p>
    </>
  )
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function newFlag({ name, schema }: Provider): Flag {
  const config = initialOf(schema as Schema)
  return { provider: name, config: isObject(config) ? config : {} }
}
