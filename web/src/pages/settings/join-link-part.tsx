import { setJoinLink } from '@pennant/contract/people.ts'
import accountStyles from '../../account/account.module.css'
import { LinkTools } from '../../account/link-tools.tsx'
import { joinLink, type TeamPeople } from '../../account/people.ts'
import { send } from '../../api/client.ts'
import { peopleMessages } from '../../text/en/people.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
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
      {joinCode !== null && (
        <>
          <code dir="ltr" className="pn-break">
            {joinLink(joinCode)}
          </code>
          <LinkTools key={joinCode} link={joinLink(joinCode)} text={{ ...text, copy: text.copyLink }} />
        </>
      )}
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
