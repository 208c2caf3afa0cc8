import { login } from '@pennant/contract/accounts.ts'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { focusesFirst } from '../../account/autofocus.ts'
import { DeedButton } from '../../account/deed-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { readPasted } from '../../account/pasted-token.ts'
import { RankingButton } from '../../account/ranking-button.tsx'
import { accountWords } from '../../account/words.ts'
import styles from '../../account/account.module.css'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { paths, safeNext } from '../../paths.ts'
import { signIn } from '../../state/session.ts'
import { useWait } from '../../state/use-wait.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { Switch } from '../../ui/fields/choices.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useForm, type FormErrors } from '../../ui/form.ts'
import { words } from './words.ts'

export function Component() {
  const text = useText(words)
  const config = useConfig()
  const [search] = useSearchParams()
  const next = search.get('next') ?? undefined
  // A link with a token is another team's, or the same: the form says.
  const [hasToken] = useState(() => search.has('token'))
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
    <AccountPage title={text.title} after={after} isWayIn={!hasToken}>
      <SignInForm />
      <RankingButton purpose={{ kind: 'signIn', next: next ?? null }}>{text.rankingSite}</RankingButton>
    </AccountPage>
  )
}

interface Values {
  readonly token: string
}

function SignInForm() {
  const text = useText(words)
  const account = useText(accountWords)
  const errorText = useErrorText('once')
  const navigate = useNavigate()
  const [search, setSearch] = useSearchParams()
  const [linked] = useState(() => search.get('token') ?? '')
  const wait = useWait()
  const [failure, setFailure] = useState<string>()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    // Out of the address, and of what a screenshot or the history would keep.
    if (search.has('token')) setSearch((now) => without(now, 'token'), { replace: true })
  }, [search, setSearch])
  const submit = async ({ token }: Values): Promise<FormErrors<Values> | void> => {
    setFailure(undefined)
    const pasted = readPasted(token)
    if (pasted.kind === 'link') {
      return void navigate({
        pathname: paths.verify(),
        search: `?${new URLSearchParams({ token: pasted.token })}`,
      })
    }
    try {
      const answer = await send(login, { body: { teamToken: pasted.token } })
      if (wait.begin(answer)) return
      if (answer.kind !== 'goodLogin') return { token: errorText(answer) }
      signIn(answer.data.authToken)
      void navigate(safeNext(search.get('next')), { replace: true })
    } catch {
      setFailure(account.noAnswer)
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
      <FailureLine>{wait.leftS > 0 ? account.tooFast : failure}</FailureLine>
      <DeedButton type="submit" waitS={wait.leftS} busy={form.isSubmitting}>
        {text.submit}
      </DeedButton>
    </form>
  )
}

function without(search: URLSearchParams, name: string): URLSearchParams {
  const next = new URLSearchParams(search)
  next.delete(name)
  return next
}
