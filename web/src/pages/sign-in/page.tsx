import { login } from '@pennant/contract/accounts.ts'
import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { focusesFirst } from '../../account/autofocus.ts'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { useLinkedToken } from '../../account/linked-token.ts'
import { readPasted } from '../../account/pasted-token.ts'
import { PublicDemoEntrance } from '../../layout/public-demo.tsx'
import { RankingButton } from '../../account/ranking-button.tsx'
import styles from '../../account/account.module.css'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { paths, safeNext } from '../../paths.ts'
import { signIn } from '../../state/session.ts'
import { useWait } from '../../state/use-wait.ts'
import { accountMessages } from '../../text/en/account.ts'
import { signInMessages } from '../../text/en/sign-in.ts'
import { useErrorText, useMessages } from '../../text/messages.ts'
import { Switch } from '../../ui/fields/choices.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { useForm, type FormErrors } from '../../ui/form.ts'

const PersonWays = lazy(async () => ({ default: (await import('../../account/person-ways.tsx')).PersonWays }))

export function Component() {
  const text = useMessages(signInMessages)
  const config = useConfig()
  const [search] = useSearchParams()
  const next = search.get('next') ?? undefined
  // A link can contain a token of another team or of the same one: the form says which.
  const linked = useLinkedToken()
  const canRegister = config?.registrationsEnabled !== false
  const after = (
    <div>
      <p>
        {text.lost}{' '}
        {config?.emailEnabled ? <Link to={paths.recover()}>{text.recover}</Link> : text.askOrganisers}
      </p>
      {canRegister && (
        <p>
          {text.noTeam} <Link to={paths.register(next)}>{text.register}</Link>
        </p>
      )}
    </div>
  )
  return (
    <AccountPage title={text.title} after={config?.publicDemo ? undefined : after} isWayIn={linked === null}>
      {config?.publicDemo ? <PublicDemoEntrance /> : <SignInForm key={linked} linked={linked ?? ''} />}
      {config?.people && !config.publicDemo && (
        <Suspense fallback={<Skeleton rows={3} />}>
          <PersonWays sendsMail={config.emailEnabled} next={next ?? null} />
        </Suspense>
      )}
      <RankingButton purpose={{ kind: 'signIn', next: next ?? null }}>{text.rankingSite}</RankingButton>
    </AccountPage>
  )
}

interface Values {
  readonly token: string
}

function SignInForm({ linked }: { readonly linked: string }) {
  const text = useMessages(signInMessages)
  const account = useMessages(accountMessages)
  const errorText = useErrorText('once')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const wait = useWait()
  const [failure, setFailure] = useState<string>()
  const [isShown, setShown] = useState(false)
  const submit = async ({ token }: Values): Promise<FormErrors<Values> | void> => {
    setFailure(undefined)
    const pasted = readPasted(token)
    if (pasted.kind === 'link') {
      return void navigate({
        pathname: paths.verify(),
        hash: `#${new URLSearchParams({ token: pasted.token })}`,
      })
    }
    try {
      const response = await send(login, { body: { teamToken: pasted.token } })
      if (wait.begin(response)) return
      if (response.kind !== 'goodLogin') return { token: errorText(response) }
      signIn(response.data.authToken)
      void navigate(safeNext(search.get('next')), { replace: true })
    } catch {
      setFailure(account.unconfirmed)
    }
  }
  const form = useForm<Values>({
    initial: { token: linked },
    validate: ({ token }) => ({ token: token.trim() === '' ? account.missing : undefined }),
    submit,
  })
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <TextInput
        {...form.field('token')}
        mono
        type={isShown ? 'text' : 'password'}
        label={text.token}
        help={text.tokenHelp}
        required
        autoComplete="current-password"
        autoFocus={focusesFirst}
      />
      <Switch kind="checkbox" label={text.reveal} checked={isShown} onChange={setShown} />
      <FailureLine>{wait.leftS > 0 ? account.tooManyAttempts : failure}</FailureLine>
      <ActionButton type="submit" waitS={wait.leftS} busy={form.isSubmitting}>
        {text.toSignIn}
      </ActionButton>
    </form>
  )
}
