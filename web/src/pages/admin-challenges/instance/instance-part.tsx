import type { readInstancerSchema } from '@pennant/contract/instances.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { requestData } from '../../../api/client.ts'
import { useConfig } from '../../../api/use-contest.ts'
import { InstancePanel } from '../../../challenge/instance-panel.tsx'
import { Waiting } from '../../../organisers/organiser-page.tsx'
import { useTimed } from '../../../state/clock.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { Switch } from '../../../ui/fields/choices.tsx'
import { FieldError } from '../../../ui/fields/field.tsx'
import { NumberInput, Select, TextInput } from '../../../ui/fields/inputs.tsx'
import type { CountBroken } from '../../../ui/schema/broken-json.ts'
import { SchemaForm } from '../../../ui/schema/schema-form.tsx'
import { isObject, type Json, type Schema } from '../../../ui/schema/schema-values.ts'
import { Section } from '../../../ui/states/panel.tsx'
import styles from '../challenges.module.css'
import type { AdminChallenge } from '../draft.ts'
import { instancersQuery } from '../queries.ts'
import { stateOf } from '../state-of.ts'
import type { Editor } from '../editor/use-editor.ts'
import { Ports } from './ports.tsx'

const USUAL_MINUTES = 30

/** Variable names in challenges written for rCTF. */
const RCTF_VARIABLE = /\bRCTF_(?:FLAGS?|EXPOSED_HOSTNAMES)\b/

type Schemas = Awaited<ReturnType<typeof requestData<typeof readInstancerSchema>>>
type Config = NonNullable<AdminChallenge['instancerConfig']>

interface InstancePartProps {
  readonly challenge: AdminChallenge
  readonly editor: Editor
}

/** Whether each team gets its own instance, which instancer runs it, and how it is reached. */
export function InstancePart({ challenge, editor }: InstancePartProps) {
  const text = useMessages(adminChallengesMessages)
  const isMissing = useConfig()?.instancerEnabled === false
  const query = useQuery({ ...instancersQuery, enabled: !isMissing, retryOnMount: false })
  const config = editor.draft.instancerConfig
  const set = (next: Config | null) => editor.set({ instancerConfig: next })
  const { count } = editor
  const onBroken = useCallback<CountBroken>((by) => count('instancerConfig', by), [count])
  if (isMissing && !config) return <p>{text.instance.missing}</p>
  if (!query.data && !isMissing) return <Waiting query={query} rows={4} />
  return (
    <div className={styles.form}>
      <Switch
        label={text.instance.on}
        checked={config !== null}
        onChange={(on) =>
          set(on ? (editor.base.instancerConfig ?? newConfig(challenge.id, query.data)) : null)
        }
      />
      {editor.problems.instancerConfig && (
        <FieldError id="instance-error">{editor.problems.instancerConfig}</FieldError>
      )}
      {isMissing && <p role="alert">{text.instance.missing}</p>}
      {config && RCTF_VARIABLE.test(JSON.stringify(config.config)) && <p>{text.instance.rctfAlias}</p>}
      {config && <ConfigForm config={config} schemas={query.data} onChange={set} onBroken={onBroken} />}
      {config && challenge.instancerConfig && <TryOut challenge={challenge} />}
    </div>
  )
}

/** Starts from the instancer's default configuration, so that there is something to edit. */
function newConfig(id: string, schemas: Schemas | undefined): Config {
  const config = schemas?.defaults['config']
  return {
    challengeIntegrationId: id,
    config: typeof config === 'object' && config !== null ? { ...config } : {},
    expose: [],
    timeoutMilliseconds: USUAL_MINUTES * MINUTE_MS,
    extendable: true,
  }
}

interface ConfigFormProps {
  readonly config: Config
  /** Undefined if no instancer is configured. */
  readonly schemas: Schemas | undefined
  readonly onChange: (config: Config) => void
  readonly onBroken: CountBroken
}

function ConfigForm({ config, schemas, onChange, onBroken }: ConfigFormProps) {
  const text = useMessages(adminChallengesMessages)
  const names = schemas?.instancers.map(({ name }) => name) ?? []
  const used = schemas?.instancers.find(({ name }) => name === (config.instancer ?? schemas.defaultInstancer))
  const set = (changes: Partial<Config>) => onChange({ ...config, ...changes })
  const chosen = config.instancer ?? ''
  const known = [...new Set([...names, ...(chosen === '' ? [] : [chosen])])]
  return (
    <>
      {known.length > 1 && (
        <Select
          label={text.instance.instancer}
          placeholder={text.instance.default(schemas?.defaultInstancer ?? '')}
          value={chosen}
          choices={known.map((value) => ({ value, label: value }))}
          onChange={(instancer) => onChange(withInstancer(config, instancer))}
        />
      )}
      <TextInput
        mono
        label={text.instance.id}
        help={text.instance.idHelp}
        value={config.challengeIntegrationId}
        onChange={(challengeIntegrationId) => set({ challengeIntegrationId })}
      />
      <NumberInput
        label={text.instance.minutes}
        min={1}
        value={config.timeoutMilliseconds / MINUTE_MS}
        onChange={(minutes) => set({ timeoutMilliseconds: Math.round((minutes ?? 0) * MINUTE_MS) })}
      />
      <Switch
        label={text.instance.extendable}
        checked={config.extendable ?? true}
        onChange={(extendable) => set({ extendable })}
      />
      <Ports ports={config.expose} onChange={(expose) => set({ expose })} />
      <SchemaForm
        key={used?.name}
        label={text.instance.config}
        schema={(used?.schema ?? {}) as Schema}
        value={config.config as Json}
        onChange={(next) => set({ config: isObject(next) ? next : {} })}
        onBroken={onBroken}
      />
    </>
  )
}

/** An empty name selects the deployment's default instancer, even if that changes later. */
function withInstancer(config: Config, name: string): Config {
  const { instancer: _, ...usual } = config
  return name === '' ? usual : { ...config, instancer: name }
}

function TryOut({ challenge }: { readonly challenge: AdminChallenge }) {
  const text = useMessages(adminChallengesMessages)
  const isVisible = useTimed((now) => stateOf(challenge, now) === 'visible')
  const { id, name, instancerConfig } = challenge
  return (
    <Section title={text.instance.test} level={3}>
      {isVisible ? (
        <InstancePanel
          challenge={{
            id,
            name,
            instancerLifetime: instancerConfig?.timeoutMilliseconds ?? null,
            instancerExtendable: instancerConfig?.extendable ?? true,
          }}
        />
      ) : (
        <p>{text.instance.testHidden}</p>
      )}
    </Section>
  )
}
