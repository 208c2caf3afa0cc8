import { leaveTeam, removeTeamPerson, setCaptain, setOwnToken } from '@pennant/contract/people.ts'
import { useQuery } from '@tanstack/react-query'
import { FailureLine } from '../../account/failure-line.tsx'
import { meQuery, teamPeopleQuery, type TeamPeople } from '../../account/people.ts'
import { send } from '../../api/client.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { peopleMessages } from '../../text/en/people.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { AskButton, ConfirmButton } from '../../ui/layers/confirm.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { JoinLinkPart } from './join-link-part.tsx'
import styles from './settings.module.css'
import { usePlaces, type PeopleAction } from './use-places.ts'

/** People of the team, its join link, and whether its own token signs in. */
export function PeopleSection({ individual }: { readonly individual: boolean }) {
  const text = useMessages(peopleMessages)
  const query = useQuery(teamPeopleQuery)
  const failure = useFailure(query)
  const { data } = query
  return (
    <Panel title={text.people}>
      {data ? (
        <Part data={data} individual={individual} />
      ) : (
        <LoadState failure={failure}>
          <Skeleton rows={3} height="var(--pn-row)" />
        </LoadState>
      )}
    </Panel>
  )
}

function Part({ data, individual }: { readonly data: TeamPeople; readonly individual: boolean }) {
  const text = useMessages(peopleMessages)
  const action = usePlaces()
  return (
    <div className={styles.form}>
      <p>{text.peopleText}</p>
      <List data={data} action={action} />
      {!individual && data.isLocked && <p>{text.locked}</p>}
      <FailureLine>{action.failure}</FailureLine>
      {!individual && !data.isLocked && <JoinLinkPart data={data} action={action} />}
      {data.mayManage && <TokenPart data={data} action={action} />}
      {!individual && !data.isLocked && <LeavePart data={data} action={action} />}
    </div>
  )
}

interface PartProps {
  readonly data: TeamPeople
  readonly action: PeopleAction
}

function List({ data: { people, mayManage, isLocked }, action }: PartProps) {
  const text = useMessages(peopleMessages)
  const format = useFormat()
  const me = useQuery({ ...meQuery, retry: false }).data?.person.id
  if (people.length === 0) return <EmptyState isPart>{text.noPeople}</EmptyState>
  return (
    <ul className={styles.members}>
      {people.map(({ id, name, isCaptain, joinedAt }) => (
        <li key={id}>
          <span>
            <bdi>{name}</bdi>{' '}
            <span className="pn-muted">
              {[isCaptain && text.captainIs, id === me && text.you, text.since(format.date(joinedAt))]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </span>
          {mayManage && !isCaptain && (
            <span className={styles.actions}>
              <ConfirmButton
                tone="plain"
                busy={action.isPending}
                aria-label={text.makeCaptainOf(name)}
                onConfirm={() =>
                  void action.change(() => send(setCaptain, { body: { id } }), text.handedOver(name))
                }
              >
                {text.makeCaptain}
              </ConfirmButton>
              {!isLocked && (
                <ConfirmButton
                  busy={action.isPending}
                  aria-label={text.removeOf(name)}
                  onConfirm={() =>
                    void action.change(() => send(removeTeamPerson, { params: { id } }), text.removed(name))
                  }
                >
                  {text.remove}
                </ConfirmButton>
              )}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function TokenPart({ data: { tokenOff }, action }: PartProps) {
  const text = useMessages(peopleMessages)
  const set = (isOn: boolean) =>
    action.change(() => send(setOwnToken, { body: { isOn } }), isOn ? text.tokenIsOn : text.tokenIsOff)
  return (
    <>
      <p>{tokenOff ? text.tokenOff : text.tokenOn}</p>
      <div className={styles.actions}>
        {tokenOff ? (
          <Button busy={action.isPending} onClick={() => void set(true)}>
            {text.switchOn}
          </Button>
        ) : (
          <AskButton
            tone="danger"
            title={text.switchOffTitle}
            about={<p>{text.switchOffAbout}</p>}
            action={text.switchOff}
            busy={action.isPending}
            onConfirm={() => set(false)}
          />
        )}
      </div>
    </>
  )
}

/** Only for the session of a person. */
function LeavePart({ data, action }: PartProps) {
  const text = useMessages(peopleMessages)
  const me = useQuery({ ...meQuery, retry: false }).data
  if (!me || !data.people.some(({ id }) => id === me.person.id)) return null
  return (
    <div className={styles.actions}>
      <AskButton
        tone="danger"
        title={text.leaveTitle}
        about={<p>{text.leaveAbout}</p>}
        action={text.leave}
        busy={action.isPending}
        disabledBecause={me.mayLeave ? undefined : text.leaveFirst}
        onConfirm={() => action.change(() => send(leaveTeam, {}), text.left)}
      />
    </div>
  )
}
