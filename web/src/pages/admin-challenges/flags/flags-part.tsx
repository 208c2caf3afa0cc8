import { DEFAULT_FLAG_PROVIDER, listFlagProviders } from '@pennant/contract/admin-challenges.ts'
import { looksCut } from '@pennant/contract/flag-text.ts'
import { MAX_FLAG_LENGTH } from '@pennant/contract/submissions.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { requestData } from '../../../api/client.ts'
import { OWN_KEY } from '../../../api/queries.ts'
import { refresh } from '../../../state/live.ts'
import { TryFlags } from '../../../challenge/try-flags.tsx'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { organiserListMessages } from '../../../text/en/organiser-list.ts'
import { useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { FieldError, StillProvider, Writing } from '../../../ui/fields/field.tsx'
import { FieldGroup } from '../../../ui/fields/field-group.tsx'
import { Select, TextInput } from '../../../ui/fields/inputs.tsx'
import type { CountBroken } from '../../../ui/schema/broken-json.ts'
import { SchemaForm } from '../../../ui/schema/schema-form.tsx'
import { initialOf, isObject, type Json, type Schema } from '../../../ui/schema/schema-values.ts'
import { BEGUN, type PatternTask, type PatternVerdict } from '../../../ui/workers/pattern.ts'
import { startWorker } from '../../../ui/workers/start-worker.ts'
import styles from '../challenges.module.css'
import type { Draft } from '../draft.ts'
import { isSame } from '../../../ui/form.ts'
import { useRowKeys } from './row-keys.ts'
import type { Editor } from '../editor/use-editor.ts'

/** Ten times the server's limit: browsers can be slower, and a slow pattern blocks no one else. */
const LIMIT_MS = 500
/** A worker that has not started by then failed to load. */
const START_LIMIT_MS = 10_000

/** Limit of the API. */
const MAX_FLAGS = 100
const REGEX = 'flags/regex'

type Flag = Draft['flags'][number]
type Provider = Awaited<ReturnType<typeof requestData<typeof listFlagProviders>>>['providers'][number]

/** Fallback if the list of flag kinds cannot be loaded: plain text flags. */
const PLAIN: Provider = {
  name: DEFAULT_FLAG_PROVIDER,
  schema: { type: 'object', properties: { flag: { type: 'string' } }, required: ['flag'] },
}

/** The flags of a challenge: matching one of them solves it. */
export function FlagsPart({ id, editor }: { readonly id: string; readonly editor: Editor }) {
  const text = useMessages(adminChallengesMessages)
  const { draft, set, problems, count, mayWrite } = editor
  const onBroken = useCallback<CountBroken>((by) => count('flags', by), [count])
  const { data } = useQuery({
    queryKey: [OWN_KEY, 'flag-providers'],
    queryFn: ({ signal }) => requestData(listFlagProviders, {}, { signal }),
    ...refresh(null),
  })
  const providers = data?.providers ?? [PLAIN]
  const usual = providers.find(({ name }) => name === data?.defaultProvider) ?? PLAIN
  const ready = useMemo(() => [newFlag(usual)], [usual])
  // A challenge without flags shows one to type into. It is stored once something is typed.
  const isMissing = draft.flags.length === 0 && draft.scoring.kind !== 'dynamic'
  const isReady = isMissing && mayWrite
  const flags = isReady ? ready : draft.flags
  const keys = useRowKeys(flags)
  const store = (next: Draft['flags']) => set({ flags: isSame(next, ready) ? [] : next })
  return (
    <div className={styles.form}>
      <p className={styles.small}>{text.flags.about}</p>
      {draft.instancerConfig && <p className={styles.small}>{text.flags.instances}</p>}
      {draft.scoring.kind === 'dynamic' && <p>{text.flags.dynamic}</p>}
      {problems.flags && <FieldError id="flags-error">{problems.flags}</FieldError>}
      {flags.map((flag, at) => (
        <Entry
          key={keys[at]}
          number={at + 1}
          flag={flag}
          providers={providers}
          onChange={(next) => store(flags.with(at, next))}
          onRemove={isReady ? null : () => set({ flags: flags.toSpliced(at, 1) })}
          onBroken={onBroken}
        />
      ))}
      {isMissing && !mayWrite && <p>{text.preview.noFlag}</p>}
      <Writing>
        <div hidden={isReady}>
          <Button
            icon="plus"
            disabledBecause={flags.length >= MAX_FLAGS ? text.flags.tooMany(MAX_FLAGS) : undefined}
            onClick={() => set({ flags: [...flags, newFlag(usual)] })}
          >
            {text.flags.add}
          </Button>
        </div>
      </Writing>
      {editor.draft.scoring.kind !== 'dynamic' && !isMissing && <TrySaved id={id} editor={editor} />}
    </div>
  )
}

function TrySaved({ id, editor: { draft, changed } }: { readonly id: string; readonly editor: Editor }) {
  const text = useMessages(adminChallengesMessages)
  const { tryFlags } = useMessages(organiserListMessages)
  return (
    <FieldGroup title={tryFlags.title}>
      <p className={styles.small}>
        {tryFlags.about} {changed.includes('flags') && text.flags.tryUnsaved}
      </p>
      <TryFlags challenges={[{ id, name: draft.name }]} />
    </FieldGroup>
  )
}

interface EntryProps {
  readonly number: number
  readonly flag: Flag
  readonly providers: readonly Provider[]
  readonly onChange: (flag: Flag) => void
  /** Null: this entry is not stored yet. */
  readonly onRemove: (() => void) | null
  readonly onBroken: CountBroken
}

function Entry({ number, flag, providers, onChange, onRemove, onBroken }: EntryProps) {
  const text = useMessages(adminChallengesMessages)
  const provider = providers.find(({ name }) => name === flag.provider)
  const names = [...new Set([...providers.map(({ name }) => name), flag.provider])]
  const choose = (name: string) => {
    const chosen = providers.find((known) => known.name === name)
    if (chosen && name !== flag.provider) onChange(newFlag(chosen))
  }
  return (
    <FieldGroup title={text.flags.entry(number)}>
      <div className={styles.flag}>
        <Select
          label={text.flags.kind}
          value={flag.provider}
          choices={names.map((value) => ({ value, label: kindName(value, text.flags.kinds) }))}
          onChange={choose}
        />
        {isExact(flag) ? (
          <TextInput
            mono
            label={text.flags.value}
            {...(looksCut(stringOf(flag.config['flag'])) && { help: text.flags.looksCut })}
            maxLength={MAX_FLAG_LENGTH}
            value={stringOf(flag.config['flag'])}
            onChange={(value) => onChange({ ...flag, config: { flag: value } })}
          />
        ) : (
          <SchemaForm
            key={flag.provider}
            label={text.flags.settings(number)}
            schema={(provider?.schema ?? {}) as Schema}
            value={flag.config as Json}
            onChange={(config) => onChange({ ...flag, config: isObject(config) ? config : {} })}
            onBroken={onBroken}
          />
        )}
      </div>
      {flag.provider === REGEX && (
        // Trying a text changes nothing, so it also works in read-only mode.
        <StillProvider value={false}>
          <TestBox config={flag.config} />
        </StillProvider>
      )}
      {onRemove && (
        <Writing>
          <div>
            <Button tone="danger" icon="trash" onClick={onRemove}>
              {text.flags.remove(number)}
            </Button>
          </div>
        </Writing>
      )}
    </FieldGroup>
  )
}

/** Tests whether a text would be accepted, as far as the browser can check. */
function TestBox({ config: { pattern, flags } }: { readonly config: Flag['config'] }) {
  const text = useMessages(adminChallengesMessages)
  const [typed, setTyped] = useState('')
  const verdict = useVerdict({ pattern: stringOf(pattern), flags: stringOf(flags), text: typed })
  return (
    <>
      <TextInput
        mono
        label={text.flags.test}
        maxLength={MAX_FLAG_LENGTH}
        value={typed}
        onChange={setTyped}
        // Testing is not editing: Enter must not save.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <p role="status">{verdict && text.flags.verdicts[verdict]}</p>
    </>
  )
}

/** Kinds of other providers have no name but the technical one. */
function kindName(provider: string, names: Readonly<Record<string, string>>): string {
  return Object.hasOwn(names, provider) ? (names[provider] ?? provider) : provider
}

/** Whether one text field shows all of the flag. */
function isExact({ provider, config }: Flag): boolean {
  return provider === DEFAULT_FLAG_PROVIDER && Object.keys(config).every((key) => key === 'flag')
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function newFlag({ name, schema }: Provider): Flag {
  const config = initialOf(schema as Schema)
  return { provider: name, config: isObject(config) ? config : {} }
}

/** `late`: timed out. `untried`: no worker is available, and the pattern must not block the page itself. */
type Verdict = PatternVerdict | 'tooSlow' | 'unsupported'

/** Returns whether the pattern matches the text; null while unknown, and for an empty text. */
function useVerdict({ pattern, flags, text }: PatternTask): Verdict | null {
  const [last, setLast] = useState<{ readonly of: string; readonly verdict: Verdict } | null>(null)
  const key = JSON.stringify([pattern, flags, text])
  useEffect(() => {
    if (text === '') return undefined
    return tryPattern({ pattern, flags, text }, (verdict) => setLast({ of: key, verdict }))
  }, [pattern, flags, text, key])
  return text !== '' && last?.of === key ? last.verdict : null
}

/** Runs the pattern in its own worker and terminates it on timeout. Returns a cancel function. */
function tryPattern(task: PatternTask, onVerdict: (verdict: Verdict) => void): () => void {
  const worker = startWorker('pattern')
  const end = () => {
    clearTimeout(timer)
    worker?.terminate()
  }
  const settle = (verdict: Verdict) => {
    end()
    onVerdict(verdict)
  }
  let timer = setTimeout(settle, worker ? START_LIMIT_MS : 0, 'unsupported')
  worker?.addEventListener('message', ({ data }: MessageEvent<PatternVerdict | typeof BEGUN>) => {
    if (data !== BEGUN) return settle(data)
    clearTimeout(timer)
    timer = setTimeout(settle, LIMIT_MS, 'tooSlow')
  })
  worker?.addEventListener('error', () => settle('unsupported'))
  worker?.postMessage(task)
  return end
}
