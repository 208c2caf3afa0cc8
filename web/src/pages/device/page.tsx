import {
  confirmDeviceRequest,
  denyDeviceRequest,
  readDeviceRequest,
} from '@pennant/contract/device-sign-in.ts'
import { allScopes, type Scope } from '@pennant/contract/scopes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import styles from '../../account/account.module.css'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { ScopeGroup } from '../../account/scope-group.tsx'
import { useAction } from '../../account/use-action.ts'
import { requestData, send } from '../../api/client.ts'
import { kindOf } from '../../api/failure.ts'
import { useOwnTeam } from '../../api/use-contest.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { SignInFirst } from '../../layout/states/sign-in-first.tsx'
import { refresh } from '../../state/live.ts'
import { deviceMessages } from '../../text/en/device.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'

/** Eight letters, with anything between that people type. */
const CODE = /^[a-z]{4}[- ]?[a-z]{4}$/i

/** Confirms the sign-in of a program: the command line, or another one without a browser. */
export function Component() {
  const text = useMessages(deviceMessages)
  const { isSignedIn, team } = useOwnTeam()
  const [search, setSearch] = useSearchParams()
  const [outcome, setOutcome] = useState<'confirmed' | 'denied'>()
  const code = search.get('code')?.trim().toUpperCase() ?? ''
  if (!isSignedIn) return <SignInFirst />
  return (
    <AccountPage title={text.title} isNext={outcome !== undefined} key={outcome}>
      {outcome !== undefined ? (
        <p role="status">{text[outcome]}</p>
      ) : team && CODE.test(code) ? (
        <Program
          key={code}
          code={code}
          team={team.name}
          onDone={setOutcome}
          onCode={(next) => setSearch({ code: next })}
        />
      ) : (
        <CodeForm onCode={(next) => setSearch({ code: next })} />
      )}
    </AccountPage>
  )
}

function CodeForm({ onCode }: { readonly onCode: (code: string) => void }) {
  const text = useMessages(deviceMessages)
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => ({ code: CODE.test(code.trim()) ? undefined : text.codeInvalid }),
    submit: async ({ code }) => onCode(code.trim().toUpperCase()),
  })
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <p>{text.enter}</p>
      <TextInput {...form.field('code')} label={text.code} required mono maxLength={12} autoComplete="off" />
      <Button tone="primary" type="submit">
        {text.proceed}
      </Button>
    </form>
  )
}

interface ProgramProps {
  readonly code: string
  readonly team: string
  readonly onDone: (outcome: 'confirmed' | 'denied') => void
  readonly onCode: (code: string) => void
}

function Program({ code, onCode, ...rest }: ProgramProps) {
  const text = useMessages(deviceMessages)
  const query = useQuery({
    queryKey: ['device-sign-in', code],
    queryFn: ({ signal }) => requestData(readDeviceRequest, { body: { userCode: code } }, { signal }),
    ...refresh(null),
  })
  const failure = useFailure(query)
  if (kindOf(failure.error) === 'badDeviceCode')
    return (
      <>
        <FailureLine>{text.unknown}</FailureLine>
        <CodeForm onCode={onCode} />
      </>
    )
  if (query.data) return <Question request={query.data} {...rest} />
  return (
    <LoadState failure={failure}>
      <Skeleton rows={4} />
    </LoadState>
  )
}

interface QuestionProps extends Pick<ProgramProps, 'team' | 'onDone'> {
  readonly request: Awaited<ReturnType<typeof requestData<typeof readDeviceRequest>>>
}

function Question({ request, team, onDone }: QuestionProps) {
  const text = useMessages(deviceMessages)
  const format = useFormat()
  const wanted = allScopes.filter((scope) => request.scopes.includes(scope))
  const [scopes, setScopes] = useState<readonly Scope[]>(wanted)
  const failures = { badDeviceCode: text.unknown, badApiTokenCount: text.tooMany }
  const action = useAction('once', failures)
  const { userCode } = request
  const confirm = async () => {
    const body = { userCode, scopes: [...scopes] }
    if (await action.run(() => send(confirmDeviceRequest, { body }))) onDone('confirmed')
  }
  const deny = async () => {
    if (await action.run(() => send(denyDeviceRequest, { body: { userCode } }))) onDone('denied')
  }
  return (
    <>
      <p>{text.compare}</p>
      <h2>
        <code dir="ltr">{userCode}</code>
      </h2>
      <p className="pn-words">
        {text.program}: <bdi>{request.name}</bdi>
        <br />
        {text.address}: <code dir="ltr">{request.ip}</code>
      </p>
      {!request.isSameAddress && <p>{text.other}</p>}
      <p>{text.as(team)}</p>
      <ScopeGroup title={text.scopes} scopes={wanted} value={scopes} onChange={setScopes} />
      <p>{text.ends(format.dateTime(request.tokenExpiresAt))}</p>
      <p>
        <b>{text.warn}</b>
      </p>
      <FailureLine>{action.failure}</FailureLine>
      <div className={styles.actions}>
        <ActionButton
          waitS={action.waitS}
          busy={action.isPending}
          disabledBecause={scopes.length === 0 ? text.scopeMissing : undefined}
          onClick={() => void confirm()}
        >
          {text.confirm}
        </ActionButton>
        <Button onClick={() => void deny()}>{text.deny}</Button>
      </div>
    </>
  )
}
