import {
  apiTokenLimits,
  createApiToken,
  listApiTokens,
  revokeApiToken,
} from '@pennant/contract/api-tokens.ts'
import { DAY_MS } from '@pennant/contract/durations.ts'
import { allScopes, type Scope } from '@pennant/contract/scopes.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiTokenList } from '../../account/api-token-list.tsx'
import { ScopeGroup } from '../../account/scope-group.tsx'
import { requestData, send } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { apiTokensMessages } from '../../text/en/api-tokens.ts'
import { settingsMessages } from '../../text/en/settings.ts'
import { useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Secret } from '../../ui/buttons/secret.tsx'
import { Switch } from '../../ui/fields/choices.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import { FieldError } from '../../ui/fields/field.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { Outcome } from './outcome.tsx'
import styles from './settings.module.css'
import { useChange } from './use-change.ts'
import { useUnsaved } from './unsaved.ts'

const tokensQuery = queryOptions({
  queryKey: [OWN_KEY, 'api-tokens'],
  queryFn: ({ signal }) => requestData(listApiTokens, {}, { signal }),
})

interface MadeToken {
  readonly name: string
  readonly token: string
}

/** Tokens for programs that act as the caller, and a form for a new one. */
export function ApiTokensSection({ isOrganiser }: { readonly isOrganiser: boolean }) {
  const text = useMessages(apiTokensMessages)
  const settings = useMessages(settingsMessages)
  const query = useQuery(tokensQuery)
  const failure = useFailure(query)
  const [made, setMade] = useState<MadeToken | null>(null)
  return (
    <Panel title={settings.apiTokens}>
      <div className={styles.form}>
        <p>
          {text.about} <a href="/api-docs/">{text.docs}</a>
        </p>
        {query.data ? (
          <>
            <Tokens tokens={query.data.tokens} />
            {made ? (
              <Made made={made} onDone={() => setMade(null)} />
            ) : (
              <TokenForm
                isOrganiser={isOrganiser}
                maxLifetimeMs={query.data.maxLifetimeMs ?? Infinity}
                onMade={setMade}
              />
            )}
          </>
        ) : (
          <LoadState failure={failure}>
            <Skeleton rows={2} height="var(--pn-row)" />
          </LoadState>
        )}
      </div>
    </Panel>
  )
}

function Tokens({
  tokens,
}: {
  readonly tokens: Awaited<ReturnType<typeof requestData<typeof listApiTokens>>>['tokens']
}) {
  const text = useMessages(apiTokensMessages)
  const change = useChange()
  const queries = useQueryClient()
  const revoke = async (id: string) => {
    await change.run(
      () => send(revokeApiToken, { params: { id } }),
      () => announce(text.revoked),
    )
    await queries.invalidateQueries({ queryKey: tokensQuery.queryKey })
  }
  return (
    <>
      <ApiTokenList tokens={tokens} isBusy={change.isPending} onRevoke={revoke} />
      <Outcome change={change} />
    </>
  )
}

const DAYS = [7, 30, 90, 365] as const
const NEVER = 'never'
const PLAYER_SCOPES: readonly Scope[] = ['read', 'submit', 'instances', 'profile', 'messages']

interface TokenFormProps {
  readonly isOrganiser: boolean
  /** Infinity without a limit. */
  readonly maxLifetimeMs: number
  readonly onMade: (made: MadeToken) => void
}

function useTokenForm({ maxLifetimeMs, onMade }: TokenFormProps) {
  const text = useMessages(apiTokensMessages)
  const change = useChange()
  const queries = useQueryClient()
  const days = DAYS.filter((each) => each * DAY_MS <= maxLifetimeMs)
  const initial = {
    name: '',
    scopes: [] as readonly Scope[],
    expiry: String(days.includes(30) ? 30 : (days.at(-1) ?? 'longest')),
  }
  const form = useForm({
    initial,
    validate: ({ name, scopes }) => ({
      name: name.trim() === '' ? text.nameMissing : undefined,
      scopes: scopes.length === 0 ? text.scopeMissing : undefined,
    }),
    submit: async ({ name, scopes, expiry }) => {
      const lifeMs = expiry === 'longest' ? maxLifetimeMs : Number(expiry) * DAY_MS
      const expiresAt = expiry === NEVER ? null : Date.now() + lifeMs
      const body = { name, scopes: [...scopes], expiresAt }
      const response = await change.run(
        () => send(createApiToken, { body }),
        () => undefined,
      )
      await queries.invalidateQueries({ queryKey: tokensQuery.queryKey })
      if (response?.kind !== 'goodApiTokenCreate') return
      form.reset(initial)
      onMade({ name, token: response.data.token })
    },
  })
  return { form, change, days }
}

function TokenForm(props: TokenFormProps) {
  const text = useMessages(apiTokensMessages)
  const { form, change, days } = useTokenForm(props)
  const { isOrganiser, maxLifetimeMs } = props
  useUnsaved('api-tokens', form.isDirty)
  const choices = [
    ...days.map((each) => ({ value: String(each), label: text.inDays(each) })),
    ...(days.length === 0 ? [{ value: 'longest', label: text.longest }] : []),
    ...(maxLifetimeMs === Infinity ? [{ value: NEVER, label: text.never }] : []),
  ]
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <ErrorSummary errors={form.errors} />
      <TextInput
        {...form.field('name')}
        label={text.name}
        help={text.nameHelp}
        required
        maxLength={apiTokenLimits.name}
        autoComplete="off"
      />
      <ScopeGroup
        title={text.scopes}
        scopes={PLAYER_SCOPES}
        value={form.values.scopes}
        onChange={(scopes) => form.set({ scopes })}
      />
      {isOrganiser && (
        <ScopeGroup
          title={text.scopesOrganiser}
          scopes={allScopes.filter((scope) => !PLAYER_SCOPES.includes(scope))}
          value={form.values.scopes}
          onChange={(scopes) => form.set({ scopes })}
        />
      )}
      {form.errors.scopes && <FieldError id="scopes-error">{form.errors.scopes}</FieldError>}
      <Select {...form.field('expiry')} label={text.expiry} choices={choices} />
      <Outcome change={change} />
      <div className={styles.actions}>
        <Button tone="primary" type="submit" busy={form.isSubmitting}>
          {change.waitS > 0 ? text.retryIn(change.waitS) : text.create}
        </Button>
      </div>
    </form>
  )
}

function Made({ made, onDone }: { readonly made: MadeToken; readonly onDone: () => void }) {
  const text = useMessages(apiTokensMessages)
  const [isStored, setStored] = useState(false)
  useUnsaved('api-tokens', !isStored)
  return (
    <div className={styles.form}>
      <div className={styles.form} role="status">
        <h3>{text.createdTitle(made.name)}</h3>
        <p>{text.shownOnce}</p>
        <Secret label={text.token} value={made.token} />
      </div>
      <Switch kind="checkbox" label={text.stored} checked={isStored} onChange={setStored} />
      <div className={styles.actions}>
        <Button tone="primary" disabledBecause={isStored ? undefined : text.storeFirst} onClick={onDone}>
          {text.done}
        </Button>
      </div>
    </div>
  )
}
