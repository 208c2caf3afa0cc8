import { setJoinLink } from '@pennant/contract/people.ts'
import { useState } from 'react'
import accountStyles from '../../account/account.module.css'
import { FailureLine } from '../../account/failure-line.tsx'
import { joinLink, type TeamPeople } from '../../account/people.ts'
import type { QrPath } from '../../account/qr-path.ts'
import { send } from '../../api/client.ts'
import { peopleMessages } from '../../text/en/people.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { AskButton, ConfirmButton } from '../../ui/layers/confirm.tsx'
import styles from './settings.module.css'
import type { PeopleAction } from './use-places.ts'

interface JoinLinkPartProps {
  readonly data: TeamPeople
  readonly action: PeopleAction
}

/** The link that people join by; members see it, and the captain replaces it. */
export function JoinLinkPart({ data, action }: JoinLinkPartProps) {
  const text = useMessages(peopleMessages)
  const { joinCode, people, maxTeamSize, mayManage } = data
  if (!mayManage && joinCode === null) return null
  const isFull = people.length >= maxTeamSize
  const set = (isOn: boolean) =>
    action.change(() => send(setJoinLink, { body: { isOn } }), isOn ? text.linkMade : text.linkGone)
  return (
    <section className={accountStyles.invitation} aria-label={text.invite}>
      <h3>{text.invite}</h3>
      <p>{isFull ? text.inviteFull : joinCode ? text.inviteText(people.length, maxTeamSize) : text.noLink}</p>
      {joinCode !== null && <LinkTools key={joinCode} link={joinLink(joinCode)} />}
      {mayManage && (
        <div className={styles.actions}>
          {joinCode === null ? (
            <Button busy={action.isPending} onClick={() => void set(true)}>
              {text.makeLink}
            </Button>
          ) : (
            <>
              <AskButton
                title={text.newLinkTitle}
                about={<p>{text.newLinkAbout}</p>}
                action={text.newLink}
                busy={action.isPending}
                onConfirm={() => set(true)}
              />
              <ConfirmButton busy={action.isPending} onConfirm={() => void set(false)}>
                {text.linkOff}
              </ConfirmButton>
            </>
          )}
        </div>
      )}
    </section>
  )
}

function LinkTools({ link }: { readonly link: string }) {
  const text = useMessages(peopleMessages)
  const [code, setCode] = useState<QrPath | null>(null)
  const [isFailed, setFailed] = useState(false)
  const show = async () => {
    try {
      const { qrPath } = await import('../../account/qr-path.ts')
      setCode(qrPath(link))
      setFailed(false)
    } catch {
      setFailed(true)
    }
  }
  return (
    <>
      <code dir="ltr" className="pn-break">
        {link}
      </code>
      <div className={styles.actions}>
        <CopyButton text={link}>{text.copyLink}</CopyButton>
        <Button icon={code ? 'eyeOff' : 'eye'} onClick={() => (code ? setCode(null) : void show())}>
          {code ? text.hideQr : text.showQr}
        </Button>
      </div>
      <FailureLine>{isFailed ? text.qrFailed : undefined}</FailureLine>
      {code && (
        <svg
          role="img"
          aria-label={text.qrAlternative}
          viewBox={`0 0 ${code.size} ${code.size}`}
          className={accountStyles.qr}
          shapeRendering="crispEdges"
        >
          {/* Dark on light in both themes, as in the invitation. */}
          <rect width={code.size} height={code.size} className={accountStyles.qrLight} />
          <path d={code.path} className={accountStyles.qrDark} />
        </svg>
      )}
    </>
  )
}
