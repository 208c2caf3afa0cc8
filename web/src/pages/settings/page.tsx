import { useMemo, useState } from 'react'
import { useConfig, useOwnTeam } from '../../api/use-contest.ts'
import { useFailure } from '../../api/use-failure.ts'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { SignInFirst } from '../../layout/states/sign-in-first.tsx'
import { usePageTitle } from '../../layout/title.ts'
import { LoadState } from '../../layout/states/load-state.tsx'
import { settingsMessages } from '../../text/en/settings.ts'
import { useMessages } from '../../text/messages.ts'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { AvatarSection } from './avatar-section.tsx'
import { BrowserSection } from './browser-section.tsx'
import { EmailSection } from './email-section.tsx'
import { MembersSection } from './members-section.tsx'
import { RankingSection } from './ranking-section.tsx'
import styles from './settings.module.css'
import { TeamSection } from './team-section.tsx'
import { TokenSection } from './token-section.tsx'
import { UnsavedContext } from './unsaved.ts'

export function Component() {
  const text = useMessages(settingsMessages)
  const { isSignedIn, team, query } = useOwnTeam()
  const failure = useFailure(query)
  usePageTitle(text.title)
  if (!isSignedIn) return <SignInFirst />
  return (
    <div className={styles.page}>
      <h1>{text.title}</h1>
      {team ? (
        <Sections team={team} />
      ) : (
        <LoadState failure={failure}>
          <Skeleton rows={8} height="var(--pn-row)" />
        </LoadState>
      )}
    </div>
  )
}

type Team = NonNullable<ReturnType<typeof useOwnTeam>['team']>

function Sections({ team }: { readonly team: Team }) {
  const text = useMessages(settingsMessages)
  const config = useConfig()
  const [unsaved, setUnsaved] = useState<readonly string[]>([])
  const unsavedContext = useMemo(
    () => (section: string, isDirty: boolean) =>
      setUnsaved((now) => [...now.filter((each) => each !== section), ...(isDirty ? [section] : [])]),
    [],
  )
  const sections = [
    { id: 'team', title: text.team, part: <TeamSection team={team} /> },
    { id: 'avatar', title: text.avatar, part: <AvatarSection team={team} /> },
    { id: 'email', title: text.email, part: <EmailSection team={team} /> },
    ...(team.extrankId === null && !config?.extrank
      ? []
      : [{ id: 'ranking-site', title: text.rankingSite, part: <RankingSection team={team} /> }]),
    ...(config?.userMembers ? [{ id: 'members', title: text.members, part: <MembersSection /> }] : []),
    { id: 'token', title: text.token, part: <TokenSection token={team.teamToken} /> },
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
              {part}
            </div>
          ))}
        </div>
      </div>
    </UnsavedContext>
  )
}
