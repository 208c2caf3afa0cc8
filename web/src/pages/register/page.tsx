import { registerV2 } from '@pennant/contract/accounts.ts'
import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useRegistrationFields } from '../../account/registration-fields.tsx'
import { AccountPage } from '../../account/account-page.tsx'
import { focusesFirst } from '../../account/autofocus.ts'
import { AcceptField } from '../../account/accept-field.tsx'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { useHandoff, type Handoff } from '../../account/handoff.ts'
import { KeepToken } from '../../account/keep-token.tsx'
import { RankingButton } from '../../account/ranking-button.tsx'
import styles from '../../account/account.module.css'
import { isGood, send } from '../../api/client.ts'
import { useRequiredPages } from '../../api/pages.ts'
import { useConfig } from '../../api/use-contest.ts'
import { useCaptcha } from '../../layout/use-captcha.tsx'
import { paths, safeNext } from '../../paths.ts'
import { declarationBody, type Declaration } from '../../account/tracks/declaration.ts'
import { rememberAgreed } from '../../state/agreed.ts'
import { useNow, useTimed } from '../../state/clock.ts'
import { signIn } from '../../state/session.ts'
import { useWait } from '../../state/use-wait.ts'
import { accountMessages } from '../../text/en/account.ts'
import { registerMessages } from '../../text/en/register.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useErrorText, useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Countdown } from '../../ui/data/countdown.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useForm, type Form, type FormErrors } from '../../ui/form.ts'
import { EmptyState } from '../../ui/states/messages.tsx'

/** Result of the registration; null before. */
type Done = { readonly teamToken: string } | { readonly sentTo: string } | null

export function Component() {
  const text = useMessages(registerMessages)
  const frame = useMessages(frameMessages)
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const handoff = useHandoff()
  const state = useRegistrationState()
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
  const isClosed = state !== 'open'
  return (
    <AccountPage title={text.title} after={after} isWayIn={handoff === null}>
      {state === 'early' && <OpensLater />}
      {(state === 'closed' || state === 'full') && (
        <EmptyState action={<Link to={paths.home()}>{frame.home}</Link>}>
          {state === 'full' ? text.full : text.closed}
        </EmptyState>
      )}
      {!isClosed && <Conditions />}
      {!isClosed && handoff && <p role="status">{text.rankingIdentity(handoff.extrankName)}</p>}
      {!isClosed && <RegisterForm handoff={handoff} onDone={setDone} />}
      {!isClosed && <RankingButton purpose={{ kind: 'signIn', next }}>{text.rankingSite}</RankingButton>}
    </AccountPage>
  )
}

/** By the clock, because the configuration is read rarely. */
function useRegistrationState(): 'early' | 'open' | 'closed' | 'full' {
  const config = useConfig()
  const { mode, opensAt, closesAt, full } = config?.registration ?? {}
  return useTimed((now) => {
    if (mode === undefined) return config?.registrationsEnabled === false ? 'closed' : 'open'
    if (mode === 'closed' || (closesAt !== undefined && now >= closesAt)) return 'closed'
    if (opensAt !== undefined && now < opensAt) return 'early'
    return full === 'closed' ? 'full' : 'open'
  })
}

function OpensLater() {
  const text = useMessages(registerMessages)
  const format = useFormat()
  const now = useNow()
  const { opensAt = now } = useConfig()?.registration ?? {}
  return (
    <>
      <p role="status">{text.opensAt(format.dateTime(opensAt))}</p>
      <Countdown until={opensAt} now={now} label={text.untilOpen} />
    </>
  )
}

function Conditions() {
  const text = useMessages(registerMessages)
  const format = useFormat()
  const { mode, closesAt, full } = useConfig()?.registration ?? {}
  return (
    <>
      {mode === 'approval' && <p>{text.approval}</p>}
      {mode !== 'approval' && full === 'waitingList' && <p>{text.waitingList}</p>}
      {closesAt !== undefined && <p>{text.closesAt(format.dateTime(closesAt))}</p>}
    </>
  )
}

const TrackFields = lazy(async () => ({
  default: (await import('../../account/tracks/track-fields.tsx')).TrackFields,
}))

interface Values {
  readonly name: string
  readonly email: string
  readonly code: string
  readonly accepted: boolean
  /** Null in an event without tracks. */
  readonly declared: Declaration | null
}

const FIELD_OF: Readonly<Record<string, keyof Values>> = {
  badName: 'name',
  badKnownName: 'name',
  badEmail: 'email',
  badKnownEmail: 'email',
  badCompetitionNotAllowed: 'email',
  badRegistrationCode: 'code',
  badTrack: 'declared',
  badTrackAgent: 'declared',
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
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { registration, tracks } = useConfig() ?? {}
  const needsCode = registration?.mode === 'code'
  const required = useRequiredPages()
  const asked = useRegistrationFields('team')
  const submit = async ({ name, email, code, declared }: Values): Promise<FormErrors<Values> | void> => {
    setFailure(undefined)
    const captchaCode = await captcha.getCode()
    if (captchaCode === null) return
    try {
      const body = {
        ...bodyOf({ name, email }, handoff),
        ...(needsCode && { registrationCode: code }),
        ...declaredIn(declared, tracks?.list ?? []),
        fields: asked.given,
      }
      const request = send(registerV2, { body: { ...body, ...(captchaCode && { captchaCode }) } })
      const response = await asked.recorded(request)
      if (isGood(response)) rememberAgreed({ team: name.trim(), pages: required })
      if (response.kind === 'goodVerifySent') return onDone({ sentTo: email })
      if (response.kind === 'goodRegistrationPending')
        return void navigate(paths.registration(response.data.registrationToken), { replace: true })
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
    initial: {
      name: handoff?.extrankName ?? '',
      email: '',
      code: search.get('code')?.slice(0, 100) ?? '',
      accepted: false,
      declared: tracks ? { track: tracks.list[0]?.id ?? '', operator: '', model: '' } : null,
    },
    validate: ({ name, email, code, accepted }) => ({
      code: needsCode && code.trim() === '' ? account.missing : undefined,
      accepted: required.length > 0 && !accepted ? account.missing : undefined,
      name: NAME.test(name.trim()) ? undefined : account.nameHelp,
      email: email.trim() === '' && handoff === null ? account.missing : undefined,
    }),
    submit,
  })
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <Fields form={form} hasHandoff={handoff !== null} needsCode={needsCode} />
      {asked.part}
      <AcceptField {...form.field('accepted')} />
      <FailureLine>{wait.leftS > 0 ? account.tooManyAttempts : failure}</FailureLine>
      <ActionButton type="submit" waitS={wait.leftS} busy={form.isSubmitting}>
        {text.register}
      </ActionButton>
      {captcha.gate}
    </form>
  )
}

interface FieldsProps {
  readonly form: Form<Values>
  readonly hasHandoff: boolean
  readonly needsCode: boolean
}

function Fields({ form, hasHandoff, needsCode }: FieldsProps) {
  const declared = form.field('declared')
  const text = useMessages(registerMessages)
  const account = useMessages(accountMessages)
  return (
    <>
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
        help={hasHandoff ? text.emailOptional : text.emailHelp}
        required={!hasHandoff}
        autoComplete="email"
      />
      {needsCode && (
        <TextInput
          {...form.field('code')}
          label={text.code}
          help={text.codeHelp}
          required
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {declared.value && (
        <Suspense>
          <TrackFields value={declared.value} onChange={declared.onChange} />
          <FailureLine>{declared.error}</FailureLine>
        </Suspense>
      )}
    </>
  )
}

function declaredIn(
  declared: Declaration | null,
  tracks: readonly { readonly id: string; readonly namesAgent: boolean }[],
) {
  const track = tracks.find(({ id }) => id === declared?.track)
  return declared && track ? { declared: declarationBody(declared, track) } : {}
}

function bodyOf({ name, email }: Pick<Values, 'name' | 'email'>, handoff: Handoff | null) {
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
