import { recoverV2 } from '@pennant/contract/accounts.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { focusesFirst } from '../../account/autofocus.ts'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import styles from '../../account/account.module.css'
import { send } from '../../api/client.ts'
import { useConfig } from '../../api/use-contest.ts'
import { useCaptcha } from '../../layout/use-captcha.tsx'
import { useWait } from '../../state/use-wait.ts'
import { paths } from '../../paths.ts'
import { accountMessages } from '../../text/en/account.ts'
import { recoverMessages } from '../../text/en/recover.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useErrorText, useMessages } from '../../text/messages.ts'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useForm, type FormErrors } from '../../ui/form.ts'
import { EmptyState } from '../../ui/states/messages.tsx'

export function Component() {
  const text = useMessages(recoverMessages)
  const frame = useMessages(frameMessages)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const isOff = useConfig()?.emailEnabled === false
  if (sentTo !== null) {
    return (
      <AccountPage title={text.checkInbox}>
        <p role="status">{text.sent(sentTo)}</p>
      </AccountPage>
    )
  }
  return (
    <AccountPage title={text.title} isWayIn>
      {isOff ? (
        <EmptyState action={<Link to={paths.signIn()}>{frame.toSignIn}</Link>}>
          {text.emailDisabled}
        </EmptyState>
      ) : (
        <RecoverForm onSent={setSentTo} />
      )}
    </AccountPage>
  )
}

interface Values {
  readonly email: string
}

function RecoverForm({ onSent }: { readonly onSent: (address: string) => void }) {
  const text = useMessages(recoverMessages)
  const account = useMessages(accountMessages)
  const errorText = useErrorText('once')
  const captcha = useCaptcha('recover')
  const wait = useWait()
  const [failure, setFailure] = useState<string>()
  const submit = async ({ email }: Values): Promise<FormErrors<Values> | void> => {
    setFailure(undefined)
    const captchaCode = await captcha.getCode()
    if (captchaCode === null) return
    try {
      const response = await send(recoverV2, { body: { email, ...(captchaCode && { captchaCode }) } })
      if (response.kind === 'goodVerifySent') return onSent(email)
      if (response.kind === 'badEmail') return { email: errorText(response) }
      if (!wait.begin(response)) setFailure(errorText(response))
    } catch {
      setFailure(account.unconfirmed)
    }
  }
  const form = useForm<Values>({
    initial: { email: '' },
    validate: ({ email }) => ({ email: email.trim() === '' ? account.missing : undefined }),
    submit,
  })
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <p>{text.text}</p>
      <TextInput
        {...form.field('email')}
        type="email"
        label={account.email}
        required
        autoComplete="email"
        autoFocus={focusesFirst}
      />
      <FailureLine>{wait.leftS > 0 ? account.tooManyAttempts : failure}</FailureLine>
      <ActionButton type="submit" waitS={wait.leftS} busy={form.isSubmitting}>
        {text.submit}
      </ActionButton>
      {captcha.gate}
    </form>
  )
}
