import { registerV2 } from '@pennant/contract/accounts.ts'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { focusesFirst } from '../../account/autofocus.ts'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { useHandoff, type Handoff } from '../../account/handoff.ts'
import { KeepToken } from '../../account/keep-token.tsx'
import { RankingButton } from '../../account/ranking-button.tsx'
import styles from '../../account/account.module.css'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { useCaptcha } from '../../layout/use-captcha.tsx'
import { paths, safeNext } from '../../paths.ts'
import { signIn } from '../../state/session.ts'
import { useWait } from '../../state/use-wait.ts'
import { accountMessages } from '../../text/en/account.ts'
import { registerMessages } from '../../text/en/register.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useErrorText, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useForm, type FormErrors } from '../../ui/form.ts'
import { EmptyState } from '../../ui/states/messages.tsx'

/** Result of the registration; null before. */
type Done = { readonly teamToken: string } | { readonly sentTo: string } | null

export function Component() {
  const text = useMessages(registerMessages)
  const frame = useMessages(frameMessages)
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const config = useConfig()
  const handoff = useHandoff()
  const [done, setDone] = useState<Done>(null)
  const next = search.get('next')
  if (done && 'teamToken' in done) {
    const goOn = () => void navigate(next === null ? paths.challenges() : safeNext(next), { replace: true })
    return <KeepToken token={done.teamToken} onDone={goOn} />
  }
  if (done) return <Inbox address={done.sentTo} onBack={() => setDone(null)} />
  const after = (
    <p>
      {text.haveTeam} <Link to={paths.signIn(next ?? undefined)}>{text.toSignIn}</Link>
    </p>
  )
  const isClosed = config?.registrationsEnabled === false
  return (
    <AccountPage title={text.title} after={after} isWayIn={handoff === null}>
      {isClosed && (
        <EmptyState action={<Link to={paths.home()}>{frame.home}</Link>}>{text.closed}</EmptyState>
      )}
      {!isClosed && handoff && <p role="status">{text.rankingIdentity(handoff.extrankName)}</p>}
      {!isClosed && <RegisterForm handoff={handoff} onDone={setDone} />}
      {!isClosed && <RankingButton purpose={{ kind: 'signIn', next }}>{text.rankingSite}</RankingButton>}
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

interface RegisterFormProps {
  /** Present if the user comes from the ranking site; then no email address is needed. */
  readonly handoff: Handoff | null
  readonly onDone: (done: Done) => void
}

function RegisterForm({ handoff, onDone }: RegisterFormProps) {
  const text = useMessages(registerMessages)
  const account = useMessages(accountMessages)
  const errorText = useErrorText('change')
  const captcha = useCaptcha('register')
  const wait = useWait()
  const [failure, setFailure] = useState<string>()
  const submit = async ({ name, email }: Values): Promise<FormErrors<Values> | void> => {
    setFailure(undefined)
    const captchaCode = await captcha.getCode()
    if (captchaCode === null) return
    try {
      const body = bodyOf({ name, email }, handoff)
      const response = await send(registerV2, { body: { ...body, ...(captchaCode && { captchaCode }) } })
      if (response.kind === 'goodVerifySent') return onDone({ sentTo: email })
      if (response.kind === 'goodRegisterV2') {
        // Sign in immediately, so that closing the page now does not lose the session.
        signIn(response.data.authToken)
        return onDone({ teamToken: response.data.teamToken })
      }
      const field = FIELD_OF[response.kind]
      if (field) return { [field]: errorText(response) }
      if (!wait.begin(response)) setFailure(errorText(response))
    } catch {
      setFailure(account.unconfirmed)
    }
  }
  const form = useForm<Values>({
    initial: { name: handoff?.extrankName ?? '', email: '' },
    validate: ({ name, email }) => ({
      name: NAME.test(name.trim()) ? undefined : account.nameHelp,
      email: email.trim() === '' && handoff === null ? account.missing : undefined,
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
        help={handoff === null ? text.emailHelp : text.emailOptional}
        required={handoff === null}
        autoComplete="email"
      />
      <FailureLine>{wait.leftS > 0 ? account.tooManyAttempts : failure}</FailureLine>
      <ActionButton type="submit" waitS={wait.leftS} busy={form.isSubmitting}>
        {text.register}
      </ActionButton>
      {captcha.gate}
    </form>
  )
}

function bodyOf({ name, email }: Values, handoff: Handoff | null) {
  if (handoff === null) return { name, email }
  const { extrankToken } = handoff
  return { name, extrankToken, ...(email.trim() === '' ? {} : { email }) }
}

function Inbox({ address, onBack }: { readonly address: string; readonly onBack: () => void }) {
  const account = useMessages(accountMessages)
  return (
    <AccountPage title={account.checkInbox}>
      <p role="status">{account.inbox(address)}</p>
      <Button onClick={onBack}>{account.otherAddress}</Button>
    </AccountPage>
  )
}
