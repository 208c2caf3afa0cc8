import { accountMessages } from '../text/en/account.ts'
import { useMessages } from '../text/messages.ts'
import styles from './account.module.css'
import { LinkTools } from './link-tools.tsx'
import { signInLink } from './linked-token.ts'

interface InvitationProps {
  readonly token: string
  /** Heading level; one below the surrounding heading. */
  readonly level: 2 | 3
}

/**
 * Invites a team mate: a link, also as a QR code for phones, that signs in as the team.
 */
export function Invitation({ token, level }: InvitationProps) {
  const text = useMessages(accountMessages)
  const Heading = `h${level}` as const
  return (
    <section className={styles.invitation} aria-label={text.invite}>
      <Heading>{text.invite}</Heading>
      <p>{text.inviteText}</p>
      <LinkTools link={signInLink(token)} text={{ ...text, copy: text.copyInvitation }} />
    </section>
  )
}
