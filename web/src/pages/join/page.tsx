import { askJoin, joinTeam } from '@pennant/contract/people.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { useRegistrationFields } from '../../account/registration-fields.tsx'
import { AccountPage } from '../../account/account-page.tsx'
import styles from '../../account/account.module.css'
import { ActionButton } from '../../account/action-button.tsx'
import { FailureLine } from '../../account/failure-line.tsx'
import { rememberInvitation } from '../../account/invited-by.ts'
import { joinCodeIn, meQuery, usePeopleAction } from '../../account/people.ts'
import { requestData, send } from '../../api/client.ts'
import { kindOf } from '../../api/failure.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { useConfig } from '../../api/use-contest.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { paths } from '../../paths.ts'
import { signOut, useSession } from '../../state/session.ts'
import { peopleMessages } from '../../text/en/people.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { CreateTeam } from './create-team.tsx'

/** Where people find a team: by a link, or by creating one. */
export function Component() {
  const text = useMessages(peopleMessages)
  const { code } = useParams()
  return (
    <AccountPage title={code === undefined ? text.placeTitle : text.joinTitle}>
      {code === undefined ? <Place /> : <Invited key={code} code={code} />}
    </AccountPage>
  )
}

function Invited({ code }: { readonly code: string }) {
  const text = useMessages(peopleMessages)
  const query = useQuery({
    queryKey: ['join', code],
    queryFn: ({ signal }) => requestData(askJoin, { body: { code } }, { signal }),
    retry: false,
  })
  const failure = useFailure(query)
  const refusal = text.refusals[kindOf(query.error) ?? '']
  if (refusal !== undefined) return <p role="alert">{refusal}</p>
  if (!query.data) {
    return (
      <LoadState failure={failure}>
        <Skeleton rows={2} height="var(--pn-row)" />
      </LoadState>
    )
  }
  const { teamName, isFull, isLocked } = query.data
  return (
    <>
      <p>{text.joinText(teamName)}</p>
      {isLocked || isFull ? (
        <p role="status">{isLocked ? text.locked : text.inviteFull}</p>
      ) : (
        <Join code={code} teamName={teamName} />
      )}
    </>
  )
}

function Join({ code, teamName }: { readonly code: string; readonly teamName: string }) {
  const text = useMessages(peopleMessages)
  const me = useMe()
  const action = usePeopleAction()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const asked = useRegistrationFields('person')
  if (me.instead) return me.instead
  if (me.data?.team) return <InTeam name={me.data.team.name} />
  const join = async () => {
    const response = await action.run(
      () => asked.recorded(send(joinTeam, { body: { code, personFields: asked.given } })),
      () => queries.invalidateQueries({ queryKey: [OWN_KEY] }),
    )
    if (response) void navigate(paths.ownTeam(), { replace: true })
  }
  return (
    <>
      <div className={styles.form}>{asked.part}</div>
      <FailureLine>{action.failure}</FailureLine>
      <div className={styles.actions}>
        <ActionButton waitS={action.waitS} busy={action.isPending} onClick={() => void join()}>
          {text.joinTeam(teamName)}
        </ActionButton>
      </div>
    </>
  )
}

/** The person who is signed in, or what to show instead. */
function useMe() {
  const text = useMessages(peopleMessages)
  const { token } = useSession()
  const { pathname } = window.location
  const { code } = useParams()
  const isSignedOut = token === null
  useEffect(() => {
    if (isSignedOut && code !== undefined) rememberInvitation(code)
  }, [isSignedOut, code])
  const query = useQuery({ ...meQuery, enabled: token !== null, retry: false })
  const failure = useFailure(query)
  if (token === null) {
    const instead = (
      <>
        <p>{text.signInToJoin}</p>
        <Link to={paths.signIn(pathname)}>{text.signIn}</Link>
      </>
    )
    return { data: undefined, instead }
  }
  if (kindOf(query.error) === 'badNoPerson') {
    const instead = (
      <>
        <p>{text.asTeam}</p>
        <div className={styles.actions}>
          <Button onClick={signOut}>{text.signOut}</Button>
        </div>
      </>
    )
    return { data: undefined, instead }
  }
  const waiting = (
    <LoadState failure={failure}>
      <Skeleton rows={2} height="var(--pn-row)" />
    </LoadState>
  )
  return { data: query.data, instead: query.data ? null : waiting }
}

function InTeam({ name }: { readonly name: string }) {
  const text = useMessages(peopleMessages)
  return (
    <>
      <p>{text.alreadyIn(name)}</p>
      <Link to={paths.ownTeam()}>{text.toTeam}</Link>
    </>
  )
}

/** For a person without a team. */
function Place() {
  const text = useMessages(peopleMessages)
  const me = useMe()
  const people = useConfig()?.people
  if (me.instead) return me.instead
  if (!me.data || !people) return null
  if (me.data.team) return <InTeam name={me.data.team.name} />
  const isAlone = people.individual === true
  return (
    <>
      <p>{isAlone ? text.aloneText : text.noTeam}</p>
      <WhyNoTeam />
      {me.data.mayCreateTeam ? <CreateTeam isAlone={isAlone} /> : <p role="status">{text.closed}</p>}
      {me.data.mayJoin && <WithLink />}
    </>
  )
}

/** Why the sign-in gave the person no team. */
function WhyNoTeam() {
  const text = useMessages(peopleMessages)
  const { state } = useLocation() as { state: { readonly teamRefusal?: string } | null }
  const reason = text.noTeamBecause[state?.teamRefusal ?? '']
  return reason === undefined ? null : <p role="status">{reason}</p>
}

function WithLink() {
  const text = useMessages(peopleMessages)
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  return (
    <section aria-label={text.haveLink}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          const code = joinCodeIn(typed)
          if (code === '') setError(text.missing)
          else void navigate(paths.join(code))
        }}
      >
        <h2>{text.haveLink}</h2>
        <TextInput
          mono
          label={text.linkField}
          help={text.linkHelp}
          value={typed}
          onChange={setTyped}
          error={error}
          autoComplete="off"
          maxLength={300}
        />
        <div className={styles.actions}>
          <Button type="submit">{text.next}</Button>
        </div>
      </form>
    </section>
  )
}
