import { askSignInMail } from '@pennant/contract/sign-in.ts'
import { useState } from 'react'
import { accountMessages } from '../text/en/account.ts'
import { personSignInMessages } from '../text/en/person-sign-in.ts'
import { useMessages } from '../text/messages.ts'
import { TextInput } from '../ui/fields/inputs.tsx'
import styles from './account.module.css'
import { ActionButton } from './action-button.tsx'
import { FailureLine } from './failure-line.tsx'
import { useMailForm } from './use-mail-form.ts'

/** Asks for a link that signs in a person, known or new. */
export function MailLinkForm() {
  const text = useMessages(personSignInMessages)
  const account = useMessages(accountMessages)
  const [sentTo, setSentTo] = useState<string>()
  const { form, failure, waitS, captchaGate } = useMailForm(askSignInMail, (email) => setSentTo(email.trim()))
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      <TextInput {...form.field('email')} type="email" label={account.email} required autoComplete="email" />
      <FailureLine>{failure}</FailureLine>
      <div role="status">{sentTo !== undefined && account.inbox(sentTo)}</div>
      <ActionButton type="submit" waitS={waitS} busy={form.isSubmitting}>
        {text.mailMe}
      </ActionButton>
      {captchaGate}
    </form>
  )
}
