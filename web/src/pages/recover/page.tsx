import { recoverV2 } from '@pennant/contract/accounts.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { AccountPage } from '../../account/account-page.tsx'
import { focusesFirst } from '../../account/autofocus.ts'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { useMailForm } from '../../account/use-mail-form.ts'
import styles from '../../account/account.module.css'
import { useConfig } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { accountMessages } from '../../text/en/account.ts'
import { recoverMessages } from '../../text/en/recover.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { TextInput } from '../../ui/fields/inputs.tsx'
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

function RecoverForm({ onSent }: { readonly onSent: (address: string) => void }) {
  const text = useMessages(recoverMessages)
  const account = useMessages(accountMessages)
  const { form, failure, waitS, captchaGate } = useMailForm(recoverV2, onSent)
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
      <FailureLine>{failure}</FailureLine>
      <ActionButton type="submit" waitS={waitS} busy={form.isSubmitting}>
        {text.submit}
      </ActionButton>
      {captchaGate}
    </form>
  )
}
