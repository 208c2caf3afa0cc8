import {
  downloadPersonData,
  downloadTeamData,
  eraseMe,
  eraseOwnTeam,
  readPrivacy,
} from '@pennant/contract/personal-data.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FailureLine } from '../../account/failure-line.tsx'
import { meQuery } from '../../account/people.ts'
import { useAction } from '../../account/use-action.ts'
import { requestData, requestFile, send } from '../../api/client.ts'
import { RequestFailure } from '../../api/failure.ts'
import { useConfig, useOwnProfile } from '../../api/use-contest.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { PlainPage } from '../../layout/states/plain-page.tsx'
import { SignInFirst } from '../../layout/states/sign-in-first.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { signOut } from '../../state/session.ts'
import { personDataMessages } from '../../text/en/person-data.ts'
import { useErrorText, useFormat, useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { AskButton, Confirm } from '../../ui/layers/confirm.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Panel } from '../../ui/states/panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'

/** What is stored about the own team and person: download and deletion. */
export function Component() {
  const text = useMessages(personDataMessages)
  usePageTitle(text.title)
  const { isSignedIn, team, query } = useOwnProfile()
  const hasPeople = useConfig()?.people !== undefined
  const me = useQuery({ ...meQuery, enabled: hasPeople && isSignedIn, retry: false })
  const failure = useFailure(query)
  if (!isSignedIn) return <SignInFirst />
  const person = me.data?.person
  return (
    <PlainPage title={text.title}>
      <div className="pn-stack pn-gap-4">
        <Privacy />
        {person && <YouPart name={person.name} />}
        {team ? (
          <TeamPart team={team} isMember={person?.isCaptain === false} />
        ) : (
          !person && (
            <LoadState failure={failure}>
              <Skeleton rows={4} height="var(--pn-row)" />
            </LoadState>
          )
        )}
      </div>
    </PlainPage>
  )
}

function Privacy() {
  const text = useMessages(personDataMessages)
  const format = useFormat()
  const query = useQuery({
    queryKey: ['privacy'],
    queryFn: ({ signal }) => requestData(readPrivacy, {}, { signal }),
  })
  const failure = useFailure(query)
  if (!query.data)
    return (
      <LoadState failure={failure}>
        <Skeleton rows={3} />
      </LoadState>
    )
  const { controller, eraseAt, erasesMessages } = query.data
  return (
    <Panel title={text.responsible}>
      <p className="pn-words" style={{ whiteSpace: 'pre-line' }}>
        {controller === '' ? text.notNamed : controller}
      </p>
      <h3>{text.kept}</h3>
      <p>
        {eraseAt === null ? text.noDate : text.eraseAt(format.dateTime(eraseAt))}
        {eraseAt !== null && erasesMessages && ` ${text.erasesMessages}`}
        {eraseAt !== null && ` ${text.after}`}
      </p>
    </Panel>
  )
}

interface DownloadProps {
  readonly load: () => Promise<Blob>
  readonly label: string
}

function Download({ load, label }: DownloadProps) {
  const errorText = useErrorText('once')
  const saving = useMutation({
    mutationFn: async () =>
      saveFile({ name: 'personal-data.json', content: await load(), type: 'application/json' }),
  })
  return (
    <>
      <div>
        <Button icon="download" busy={saving.isPending} onClick={() => saving.mutate()}>
          {label}
        </Button>
      </div>
      <FailureLine>
        {saving.error instanceof RequestFailure ? errorText(saving.error) : undefined}
      </FailureLine>
    </>
  )
}

const NO_TIMEOUT = { timeoutMs: null }

function YouPart({ name }: { readonly name: string }) {
  const text = useMessages(personDataMessages)
  const action = useAction('change', text.failures)
  const [isLast, setLast] = useState(false)
  const erase = async (withTeam: boolean) => {
    const request = async () => {
      const response = await send(eraseMe, { body: { name, withTeam } })
      setLast(response.kind === 'badLastInTeam')
      return response
    }
    if (await action.run(request)) leave(text.deleted)
  }
  return (
    <Panel title={text.you}>
      <div className="pn-stack pn-gap-4">
        <p className="pn-flat">{text.youAbout}</p>
        <Download label={text.downloadYou} load={() => requestFile(downloadPersonData, {}, NO_TIMEOUT)} />
        {!isLast && <FailureLine>{action.failure}</FailureLine>}
        <div>
          <AskButton
            tone="danger"
            title={text.deleteYouTitle}
            about={<p>{text.deleteYouText}</p>}
            action={text.deleteYou}
            word={name}
            busy={action.isPending}
            onConfirm={() => erase(false)}
          />
        </div>
        <Confirm
          open={isLast}
          onClose={() => setLast(false)}
          onConfirm={() => void erase(true)}
          title={text.lastTitle}
          action={text.deleteBoth}
          busy={action.isPending}
        >
          <p>{text.lastText}</p>
        </Confirm>
      </div>
    </Panel>
  )
}

interface TeamPartProps {
  readonly team: { readonly name: string; readonly perms: number }
  /** A person of the team who is not its captain. */
  readonly isMember: boolean
}

function TeamPart({ team: { name, perms }, isMember }: TeamPartProps) {
  const text = useMessages(personDataMessages)
  const action = useAction('change', text.failures)
  const erase = async () => {
    if (await action.run(() => send(eraseOwnTeam, { body: { name } }))) leave(text.deleted)
  }
  return (
    <Panel title={<bdi>{text.team(name)}</bdi>}>
      {isMember ? (
        <p>{text.notCaptain}</p>
      ) : (
        <div className="pn-stack pn-gap-4">
          <p className="pn-flat">{text.teamAbout}</p>
          <Download label={text.downloadTeam} load={() => requestFile(downloadTeamData, {}, NO_TIMEOUT)} />
          <FailureLine>{action.failure}</FailureLine>
          {perms === 0 ? (
            <div>
              <AskButton
                tone="danger"
                title={text.deleteTeamTitle}
                about={<p>{text.deleteTeamText}</p>}
                action={text.deleteTeam}
                word={name}
                busy={action.isPending}
                onConfirm={erase}
              />
            </div>
          ) : (
            <p className="pn-flat pn-muted">{text.organisers}</p>
          )}
        </div>
      )}
    </Panel>
  )
}

/** The token is refused from now on. */
function leave(message: string): void {
  signOut()
  announce(message)
}
