import { lazy, Suspense, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useConfig, useOwnProfile } from '../../api/use-contest.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { SignInFirst } from '../../layout/states/sign-in-first.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { errorMessages } from '../../text/en/errors.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { settingsMessages } from '../../text/en/settings.ts'
import { useMessages } from '../../text/messages.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { AvatarSection } from './avatar-section.tsx'
import { BrowserSection } from './browser-section.tsx'
import { MembersSection } from './members-section.tsx'
import styles from './settings.module.css'
import { useSignInWays } from './person-queries.ts'
import { TeamSection } from './team-section.tsx'
import { TokenSection } from './token-section.tsx'
import { UnsavedContext, useUnsaved } from './unsaved.ts'
import { removeExtrank } from '@pennant/contract/extrank.ts'
import { RankingButton } from '../../account/ranking-button.tsx'
import { send } from '../../api/client.ts'
import { announce } from '../../ui/announcer.tsx'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Outcome, SaveButton } from './outcome.tsx'
import { useChange } from './use-change.ts'
import { removeEmail, setEmailV2 } from '@pennant/contract/teams.ts'
import { useCaptcha } from '../../layout/use-captcha.tsx'
import { accountMessages } from '../../text/en/account.ts'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { TextInput } from '../../ui/fields/inputs.tsx'
import { useForm } from '../../ui/form.ts'

// Many teams never use them, and their words and forms would double the page.
const ApiTokensSection = lazy(async () => ({
  default: (await import('./api-tokens-section.tsx')).ApiTokensSection,
}))
const TeamFieldsSection = lazy(async () => ({
  default: (await import('./fields-section.tsx')).TeamFieldsSection,
}))
const PersonFieldsSection = lazy(async () => ({
  default: (await import('./fields-section.tsx')).PersonFieldsSection,
}))
const PeopleSection = lazy(async () => ({ default: (await import('./people-section.tsx')).PeopleSection }))
const SessionsSection = lazy(async () => ({
  default: (await import('./sessions-section.tsx')).SessionsSection,
}))
const WaysSection = lazy(async () => ({ default: (await import('./ways-section.tsx')).WaysSection }))

export function Component() {
  const text = useMessages(settingsMessages)
  const { isSignedIn, team, query } = useOwnProfile()
  const failure = useFailure(query)
  usePageTitle(text.title)
  const { ways, refetch } = useSignInWays()
  const asksMore = useConfig()?.fields === true
  if (!isSignedIn) return <SignInFirst />
  return (
    <div className={styles.page}>
      <h1>{text.title}</h1>
      <p>
        <Link to={paths.yourData()}>{text.yourData}</Link>
      </p>
      {team ? (
        <Sections team={team} />
      ) : ways ? (
        <div className={styles.sections}>
          <WithoutTeam />
          <Suspense fallback={<Skeleton rows={8} />}>
            {asksMore && <PersonFieldsSection />}
            <WaysSection ways={ways} onChanged={() => void refetch()} />
            <SessionsSection />
          </Suspense>
          <BrowserSection />
        </div>
      ) : (
        <LoadState failure={failure}>
          <Skeleton rows={8} height="var(--pn-row)" />
        </LoadState>
      )}
    </div>
  )
}

function WithoutTeam() {
  const { kinds } = useMessages(errorMessages)
  const { join } = useMessages(frameMessages)
  return (
    <p>
      {kinds.badNoTeam} <Link to={paths.join()}>{join}</Link>
    </p>
  )
}

type Team = NonNullable<ReturnType<typeof useOwnProfile>['team']>

function Sections({ team }: { readonly team: Team }) {
  const text = useMessages(settingsMessages)
  const config = useConfig()
  const { ways, refetch } = useSignInWays()
  const [unsaved, setUnsaved] = useState<readonly string[]>([])
  const unsavedContext = useMemo(
    () => (section: string, isDirty: boolean) =>
      setUnsaved((now) => [...now.filter((each) => each !== section), ...(isDirty ? [section] : [])]),
    [],
  )
  const sections = [
    { id: 'team', title: text.team, part: <TeamSection team={team} /> },
    ...(config?.fields ? fieldSections(text, ways !== undefined) : []),
    { id: 'avatar', title: text.avatar, part: <AvatarSection team={team} /> },
    { id: 'email', title: text.email, part: <EmailSection team={team} /> },
    ...(team.extrankId === null && !config?.extrank
      ? []
      : [{ id: 'ranking-site', title: text.rankingSite, part: <RankingSection team={team} /> }]),
    ...(config?.userMembers ? [{ id: 'members', title: text.members, part: <MembersSection /> }] : []),
    ...(config?.people
      ? [
          {
            id: 'people',
            title: text.people,
            part: <PeopleSection individual={config.people.individual === true} />,
          },
        ]
      : []),
    ...(ways
      ? [
          {
            id: 'ways',
            title: text.ways,
            part: <WaysSection ways={ways} onChanged={() => void refetch()} />,
          },
          { id: 'sessions', title: text.sessions, part: <SessionsSection /> },
        ]
      : []),
    ...(team.teamToken === ''
      ? []
      : [{ id: 'token', title: text.token, part: <TokenSection token={team.teamToken} /> }]),
    { id: 'api-tokens', title: text.apiTokens, part: <ApiTokensSection isOrganiser={team.perms !== 0} /> },
    { id: 'browser', title: text.browser, part: <BrowserSection /> },
  ]
  return (
    <UnsavedContext value={unsavedContext}>
      {/* One guard for the whole page, because the router supports only one blocker. */}
      <LeaveGuard isDirty={unsaved.length > 0} />
      <div className={styles.columns}>
        <nav aria-label={text.sections} className={styles.nav}>
          {sections.map(({ id, title }) => (
            <a key={id} href={`#${id}`}>
              {title}
            </a>
          ))}
        </nav>
        <div className={styles.sections}>
          {sections.map(({ id, part }) => (
            <div key={id} id={id} className={styles.section}>
              <Suspense fallback={<Skeleton rows={3} />}>{part}</Suspense>
            </div>
          ))}
        </div>
      </div>
    </UnsavedContext>
  )
}

function fieldSections(
  text: Pick<typeof settingsMessages.english, 'teamFields' | 'personFields'>,
  isPerson: boolean,
) {
  const team = { id: 'team-fields', title: text.teamFields, part: <TeamFieldsSection /> }
  const person = { id: 'person-fields', title: text.personFields, part: <PersonFieldsSection /> }
  return isPerson ? [team, person] : [team]
}

interface RankingSectionProps {
  readonly team: { readonly email: string | null; readonly extrankId: string | null }
}

/** The link to the ranking site. It can only be removed while the team has an email address. */
function RankingSection({ team }: RankingSectionProps) {
  const text = useMessages(settingsMessages)
  const change = useChange()
  return (
    <Panel title={text.rankingSite}>
      <div className={styles.form}>
        <p>{team.extrankId === null ? text.notLinked : text.linkedTo(team.extrankId)}</p>
        <Outcome change={change} />
        <div className={styles.actions}>
          <RankingButton purpose={{ kind: 'link' }}>
            {team.extrankId === null ? text.link : text.linkAnother}
          </RankingButton>
          {team.extrankId !== null && (
            <ConfirmButton
              busy={change.isPending}
              disabledBecause={team.email === null ? text.linkNeeded : undefined}
              onConfirm={() =>
                void change.run(
                  () => send(removeExtrank, {}),
                  () => announce(text.unlinked),
                )
              }
            >
              {text.unlink}
            </ConfirmButton>
          )}
        </div>
      </div>
    </Panel>
  )
}

interface EmailSectionProps {
  readonly team: { readonly email: string | null; readonly extrankId: string | null }
}

/** The email address for account recovery. */
function EmailSection({ team }: EmailSectionProps) {
  const text = useMessages(settingsMessages)
  const account = useMessages(accountMessages)
  const change = useChange()
  const confirmed = useSuccess(text.saved)
  const captcha = useCaptcha('setEmail')
  const sendsMail = useConfig()?.emailEnabled ?? false
  const [saved, setSaved] = useState(team.email ?? '')
  const form = useForm({
    initial: { email: saved },
    validate: ({ email }) => ({ email: email.trim() === '' ? account.missing : undefined }),
    submit: async ({ email }) => {
      const captchaCode = await captcha.getCode()
      if (captchaCode === null) return
      const body = { email: email.trim(), ...(captchaCode && { captchaCode }) }
      const confirm = sendsMail ? () => change.setNext(text.linkSent) : confirmed.show
      if (await change.run(() => send(setEmailV2, { body }), confirm)) setSaved(email)
    },
  })
  const confirmRemoval = () => announce(text.emailRemoved)
  const remove = async () => {
    if (!(await change.run(() => send(removeEmail, {}), confirmRemoval))) return
    setSaved('')
    form.reset({ email: '' })
  }
  const isDirty = form.values.email !== saved
  useUnsaved('email', isDirty)
  return (
    <Panel title={text.email}>
      <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
        <TextInput
          {...form.field('email')}
          type="email"
          label={account.email}
          autoComplete="email"
          {...(sendsMail ? { help: text.emailHelp } : {})}
        />
        <Outcome change={change} />
        <div className={styles.actions}>
          <SaveButton change={change} isDirty={isDirty} success={confirmed} label={text.changeEmail} />
          {team.email !== null && (
            <ConfirmButton
              disabledBecause={team.extrankId === null ? text.emailNeeded : undefined}
              onConfirm={() => void remove()}
            >
              {text.removeEmail}
            </ConfirmButton>
          )}
        </div>
        {captcha.gate}
      </form>
    </Panel>
  )
}
