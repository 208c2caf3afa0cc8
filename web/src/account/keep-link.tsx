import { renewPersonalLink } from '@pennant/contract/sign-in.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { send } from '../api/client.ts'
import { paths } from '../paths.ts'
import { personSignInMessages } from '../text/en/person-sign-in.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Secret } from '../ui/buttons/secret.tsx'
import { AccountPage } from './account-page.tsx'
import styles from './account.module.css'
import { FailureLine } from './failure-line.tsx'
import { takeInvitation } from './invited-by.ts'
import { useAction } from './use-action.ts'

export interface NewPerson {
  /** Why the person has no team yet in an event for individuals. */
  readonly teamRefusal: string | undefined
}

/** Shown once to a new person: a way back in that depends on no mail and no other site. */
export function KeepLink({ teamRefusal }: NewPerson) {
  const navigate = useNavigate()
  const text = useMessages(personSignInMessages)
  const action = useAction('once', text.failures)
  const [link, setLink] = useState<string>()
  const begun = useRef(false)
  const begin = useEffectEvent(async () => {
    const response = await action.run(() => send(renewPersonalLink, {}))
    if (response) setLink(response.data.link)
  })
  const goOn = () => {
    if (teamRefusal === undefined) void navigate(takeInvitation(), { replace: true })
    else void navigate(paths.join(), { replace: true, state: { teamRefusal } })
  }
  useEffect(() => {
    // React may run effects twice, and the second link would replace the first.
    if (begun.current) return
    begun.current = true
    void begin()
  }, [])
  return (
    <AccountPage title={text.keepLinkTitle} isNext>
      <p>{text.keepLinkText}</p>
      {link !== undefined && <Secret label={text.personalLink} value={link} />}
      <FailureLine>{action.failure}</FailureLine>
      <div className={styles.actions}>
        <Button tone="primary" busy={action.isPending} onClick={goOn}>
          {text.create}
        </Button>
      </div>
    </AccountPage>
  )
}
