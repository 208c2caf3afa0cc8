import { askSignInMail } from '@pennant/contract/sign-in.ts'
import { useState } from 'react'
import { send } from '../api/client.ts'
import { useCaptcha } from '../layout/use-captcha.tsx'
import { useWait } from '../state/use-wait.ts'
import { accountMessages } from '../text/en/account.ts'
import { personSignInMessages } from '../text/en/person-sign-in.ts'
import { useErrorText, useMessages } from '../text/messages.ts'
import { TextInput } from '../ui/fields/inputs.tsx'
import { useForm, type FormErrors } from '../ui/form.ts'
import styles from './account.module.css'
import { ActionButton } from './action-button.tsx'
import { FailureLine } from './failure-line.tsx'

interface Values {
  readonly email: string
}

/** Asks for a link that signs in a person, known or new. */
export function MailLinkForm() {
  const text = useMessages(personSignInMessages)
  const account = useMessages(accountMessages)
  const errorText = useErrorText('once')
  const captcha = useCaptcha('recover')
  const wait = useWait()
  const [failure, setFailure] = useState<string>()
  const [sentTo, setSentTo] = useState<string>()
  const submit = async ({ email }: Values): Promise<FormErrors<Values> | void> => {
    setFailure(undefined)
    const captchaCode = await captcha.getCode()
    if (captchaCode === null) return
    try {
      const response = await send(askSignInMail, { body: { email, ...(captchaCode && { captchaCode }) } })
      if (response.kind === 'goodVerifySent') return setSentTo(email.trim())
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
      <TextInput {...form.field('email')} type="email" label={account.email} required autoComplete="email" />
      <FailureLine>{wait.leftS > 0 ? account.tooManyAttempts : failure}</FailureLine>
      <div role="status">{sentTo !== undefined && account.inbox(sentTo)}</div>
      <ActionButton type="submit" waitS={wait.leftS} busy={form.isSubmitting}>
        {text.mailMe}
      </ActionButton>
      {captcha.gate}
    </form>
  )
}
