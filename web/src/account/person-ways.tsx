import { useConfig } from '../api/use-contest.ts'
import { personSignInMessages } from '../text/en/person-sign-in.ts'
import { useMessages } from '../text/messages.ts'
import { Section } from '../ui/states/panel.tsx'
import styles from './account.module.css'
import { MailLinkForm } from './mail-link-form.tsx'
import { canUsePasskeys } from './passkey.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { ProviderButtons } from './provider-buttons.tsx'

interface PersonWaysProps {
  readonly sendsMail: boolean
  readonly next: string | null
}

/** How people sign in, who need no token. */
export function PersonWays({ sendsMail, next }: PersonWaysProps) {
  const text = useMessages(personSignInMessages)
  const hasProviders = useConfig()?.people?.providers !== undefined
  if (!sendsMail && !hasProviders && !canUsePasskeys()) return null
  return (
    <Section title={text.asPerson}>
      <div className={styles.form}>
        <p>{text.asPersonText}</p>
        <PasskeyButton next={next} />
        <ProviderButtons next={next} />
        {sendsMail && <MailLinkForm />}
      </div>
    </Section>
  )
}
