import { registerV2 } from '@pennant/contract/accounts.ts'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { focusesFirst } from '../../account/autofocus.ts'
import { FailureLine } from '../../account/failure-line.tsx'
import { KeepToken } from '../../account/keep-token.tsx'
import { accountWords } from '../../account/words.ts'
import styles from '../../account/account.module.css'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { useCaptcha } from '../../layout/use-captcha.tsx'
import { paths, safeNext } from '../../paths.ts'
import { signIn } from '../../state/session.ts'
import { useText } from '../../text/catalogue.ts'
import { useErrorText } from '../../text/errors.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useForm, type FormErrors } from '../../ui/form.ts'
import { EmptyState } from '../../ui/states/messages.tsx'
import { words } from './words.ts'

/** What came of the registration; null before. */
type Done = { readonly teamToken: string } | { readonly sentTo: string } | null

export function Component() {
  const text = useText(words)
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const config = useConfig()
  const [done, setDone] = useState<Done>(null)
  const next = search.get('next')
  if (done && 'teamToken' in done) {
    const goOn = () => void navigate(next === null ? paths.challenges() : safeNext(next), { replace: true })
    return <KeepToken token={done.teamToken} onDone={goOn} />
  }
  if (done) return <Inbox address={done.sentTo} onBack={() => setDone(null)} />
  const after = (
    <p>
      {text.haveTeam} <Link to={paths.signIn(next ?? undefined)}>{text.signIn}</Link>
    </p>
  )
  const isClosed = config?.registrationsEnabled === false || config?.isArchived === true
  return (
    <AccountPage title={text.title} after={after}>
      {isClosed ? <EmptyState>{text.closed}</EmptyState> : <RegisterForm onDone={setDone} />}
    </AccountPage>
  )
}

interface Values {
  readonly name: string
  readonly email: string
}

const FIELD_OF: Readonly<Record<string, keyof Values>> = {
  badName: 'name',
  badKnownName: 'name',
  badEmail: 'email',
  badKnownEmail: 'email',
  badCompetitionNotAllowed: 'email',
}

const NAME = /^[\x20-\x7e]{2,64}$/

function RegisterForm({ onDone }: { readonly onDone: (done: Done) => void }) {
  const text = useText(words)
  const account = useText(accountWords)
  const errorText = useErrorText()
  const captcha = useCaptcha('register')
  const [failure, setFailure] = useState<string>()
  const submit = async ({ name, email }: Values): Promise<FormErrors<Values> | void> => {
    setFailure(undefined)
    const captchaCode = await captcha.getCode()
    if (captchaCode === null) return
    try {
      const answer = await send(registerV2, { body: { name, email, ...(captchaCode && { captchaCode }) } })
      if (answer.kind === 'goodVerifySent') return onDone({ sentTo: email })
      if (answer.kind === 'goodRegisterV2') {
        // At once: whoever closes the page now is still signed in.
        signIn(answer.data.authToken)
        return onDone({ teamToken: answer.data.teamToken })
      }
      const field = FIELD_OF[answer.kind]
      if (field) return { [field]: errorText(answer) }
      setFailure(errorText(answer))
    } catch {
      setFailure(account.noAnswer)
    }
  }
  const form = useForm<Values>({
    initial: { name: '', email: '' },
    validate: ({ name, email }) => ({
      name: NAME.test(name.trim()) ? undefined : account.nameHelp,
      email: email.trim() === '' ? account.missing : undefined,
    }),
    submit,
  })
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <ErrorSummary errors={form.errors} />
      <TextInput
        {...form.field('name')}
        label={account.name}
        help={account.nameHelp}
        required
        counted
        maxLength={64}
        autoComplete="organization"
        autoFocus={focusesFirst}
      />
      <TextInput
        {...form.field('email')}
        type="email"
        label={account.email}
        help={text.emailHelp}
        required
        autoComplete="email"
      />
      <FailureLine>{failure}</FailureLine>
      <Button tone="primary" type="submit" busy={form.isSubmitting}>
        {text.submit}
      </Button>
      {captcha.gate}
    </form>
  )
}

function Inbox({ address, onBack }: { readonly address: string; readonly onBack: () => void }) {
  const account = useText(accountWords)
  return (
    <AccountPage title={account.inboxTitle}>
      <p role="status">{account.inbox(address)}</p>
      <Button onClick={onBack}>{account.otherAddress}</Button>
    </AccountPage>
  )
}
