import { useState } from 'react'
import { accountMessages } from '../text/en/account.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { CopyButton } from '../ui/buttons/copy-button.tsx'
import styles from './account.module.css'
import { FailureLine } from './failure-line.tsx'
import { signInLink } from './linked-token.ts'
import type { QrPath } from './qr-path.ts'

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
  const [code, setCode] = useState<QrPath | null>(null)
  const [isFailed, setFailed] = useState(false)
  const link = signInLink(token)
  const Heading = `h${level}` as const
  const show = async () => {
    try {
      const { qrPath } = await import('./qr-path.ts')
      setCode(qrPath(link))
      setFailed(false)
    } catch {
      setFailed(true)
    }
  }
  return (
    <section className={styles.invitation} aria-label={text.invite}>
      <Heading>{text.invite}</Heading>
      <p>{text.inviteText}</p>
      <div className={styles.actions}>
        <CopyButton text={link}>{text.copyInvitation}</CopyButton>
        {code ? (
          <Button icon="eyeOff" onClick={() => setCode(null)}>
            {text.hideQr}
          </Button>
        ) : (
          <Button icon="eye" onClick={() => void show()}>
            {text.showQr}
          </Button>
        )}
      </div>
      <FailureLine>{isFailed ? text.qrFailed : undefined}</FailureLine>
      {code && (
        <svg
          role="img"
          aria-label={text.qrAlternative}
          viewBox={`0 0 ${code.size} ${code.size}`}
          className={styles.qr}
          shapeRendering="crispEdges"
        >
          {/* Dark on light in both themes: many scanners do not read inverted codes. */}
          <rect width={code.size} height={code.size} className={styles.qrLight} />
          <path d={code.path} className={styles.qrDark} />
        </svg>
      )}
    </section>
  )
}
