import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { usePageTitle } from '../../layout/title.ts'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { paths } from '../../paths.ts'
import { useMay } from '../../api/use-contest.ts'
import { adminTeamsMessages } from '../../text/en/admin-teams.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages } from '../../text/messages.ts'
import { TeamName } from '../../ui/data/team-name.tsx'
import { filtersToText } from '../../ui/data/filters.ts'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { Sheet } from '../../ui/layers/dialog.tsx'
import { NoPermission } from '../../ui/states/messages.tsx'
import { AdjustmentsPart } from './adjustments-part.tsx'
import { DangerPart, TokenPart } from './danger.tsx'
import { ProfileForm } from './profile-form.tsx'
import { teamQuery, type TeamDetail } from './queries.ts'
import { RolePart } from './role-part.tsx'
import { SolvesPart } from './solves-part.tsx'
import { Status } from './team-list.tsx'
import styles from './teams.module.css'

interface TeamSheetProps {
  /** Undefined while it is closed. */
  readonly id: string | undefined
  readonly onClose: () => void
}

/** Detail of one team next to the list: profile, solves and actions. */
export function TeamSheet({ id, onClose }: TeamSheetProps) {
  const text = useMessages(adminTeamsMessages)
  const frame = useMessages(frameMessages)
  const may = useMay('challsRead', 'usersWrite')
  const query = useQuery({ ...teamQuery(id ?? ''), enabled: id !== undefined && may })
  const team = id === undefined ? undefined : query.data
  usePageTitle(team?.name ?? text.title)
  const title = team ? <TeamName name={team.name} teamId={team.id} avatarUrl={team.avatarUrl} /> : text.title
  return (
    <Sheet open={id !== undefined} onClose={onClose} title={title}>
      {!may && (
        <NoPermission
          right={text.needsRead}
          action={<Link to={paths.dashboard()}>{frame.organiser.dashboard}</Link>}
        />
      )}
      {may && !team && <Waiting query={query} rows={8} />}
      {team && <Detail key={team.id} team={team} onGone={onClose} />}
    </Sheet>
  )
}

function Detail({ team, onGone }: { readonly team: TeamDetail; readonly onGone: () => void }) {
  const text = useMessages(adminTeamsMessages)
  const mayReadActions = useMay('challsRead', 'usersWrite', 'settingsWrite')
  const isLocked = team.perms !== 0
  const mayAdjust = useMay('challsSolveWrite')
  const filter = filtersToText([{ field: 'team', not: false, values: [team.id] }])
  return (
    <div className={styles.detail}>
      <p className="pn-row pn-gap-3">
        <Status team={team} />
        <Link to={paths.team(team.id)}>{text.toProfile}</Link>
        <Link to={{ pathname: paths.submissions(), search: `?${new URLSearchParams({ filter })}` }}>
          {text.audit}
        </Link>
        {mayReadActions && <Link to={paths.actionsOf(team.id)}>{text.actions}</Link>}
      </p>
      <p className="pn-row pn-gap-3">
        <code dir="ltr">{team.id}</code>
        <CopyButton text={team.id} />
      </p>
      {isLocked ? <p>{text.locked}</p> : <ProfileForm team={team} />}
      <SolvesPart team={team} />
      {mayAdjust && <AdjustmentsPart team={team} />}
      {!isLocked && <TokenPart team={team} />}
      <RolePart team={team} />
      {!isLocked && <DangerPart team={team} onGone={onGone} />}
    </div>
  )
}
