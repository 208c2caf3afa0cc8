import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { usePageTitle } from '../../layout/title.ts'
import { Waiting } from '../../organisers/organiser-page.tsx'
import { paths } from '../../paths.ts'
import { useMay, useConfig } from '../../api/use-contest.ts'
import { adminTeamsMessages } from '../../text/en/admin-teams.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useMessages, useFormat } from '../../text/messages.ts'
import { TeamName } from '../../ui/data/team-name.tsx'
import { filtersToText } from '../../ui/data/filters.ts'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { Sheet } from '../../ui/layers/dialog.tsx'
import { NoPermission, EmptyState } from '../../ui/states/messages.tsx'
import { AdjustmentsPart } from './adjustments-part.tsx'
import { DangerPart, TokenPart } from './danger.tsx'
import { teamQuery, type TeamDetail, teamsKey } from './queries.ts'
import { RolePart } from './role-part.tsx'
import { Status } from './team-list.tsx'
import styles from './teams.module.css'
import { deleteSolve } from '@pennant/contract/admin-challenges.ts'
import { deleteTeamSolves, updateTeam } from '@pennant/contract/admin-teams.ts'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { send } from '../../api/client.ts'
import { AskButton, ConfirmButton } from '../../ui/layers/confirm.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { useListAction } from '../../organisers/use-list-action.ts'
import { lazy, Suspense, useState, type FormEvent } from 'react'
import { LeaveGuard } from '../../layout/leaving/leave-guard.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { useSuccess } from '../../ui/buttons/use-success.ts'
import { Select, TextInput } from '../../ui/fields/inputs.tsx'
import { unsavedFields } from '../../ui/form.ts'

const ApiTokensPart = lazy(async () => ({ default: (await import('./api-tokens-part.tsx')).ApiTokensPart }))
const ActivityPart = lazy(async () => ({ default: (await import('./activity-part.tsx')).ActivityPart }))
const AnswersPart = lazy(async () => ({ default: (await import('./eligibility-part.tsx')).AnswersPart }))
const TrackPart = lazy(async () => ({ default: (await import('./track-part.tsx')).TrackPart }))
const PeoplePart = lazy(async () => ({ default: (await import('./people-part.tsx')).PeoplePart }))

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
      {team.track !== undefined && (
        <Suspense>
          <TrackPart key={team.track} team={team} />
        </Suspense>
      )}
      <Suspense>
        <AnswersPart teamId={team.id} />
        <PeoplePart team={team} />
        <ActivityPart teamId={team.id} />
      </Suspense>
      <SolvesPart team={team} />
      {mayAdjust && <AdjustmentsPart team={team} />}
      {!isLocked && <TokenPart team={team} />}
      <Suspense>
        <ApiTokensPart teamId={team.id} />
      </Suspense>
      <RolePart team={team} />
      {!isLocked && <DangerPart team={team} onGone={onGone} />}
    </div>
  )
}

/**
 * The solves of a team, oldest first. With the right permission, one solve can be revoked, or all solves
 * together with pushed points.
 */
function SolvesPart({ team }: { readonly team: TeamDetail }) {
  const text = useMessages(adminTeamsMessages)
  const frame = useMessages(frameMessages)
  const format = useFormat()
  const may = useMay('challsSolveWrite')
  const action = useListAction(teamsKey)
  const removeAll = async () => {
    await action.run(send(deleteTeamSolves, { params: { userId: team.id } }), text.solvesDeleted)
  }
  const remove = (challengeId: string, name: string) =>
    void action.run(send(deleteSolve, { params: { challengeId, userId: team.id } }), text.solveDeleted(name))
  return (
    <Section title={`${text.solves} (${format.number(team.solves.length)})`} level={3}>
      {team.solves.length === 0 && (
        <EmptyState action={<Link to={paths.team(team.id)}>{frame.profile}</Link>}>
          {text.noSolves}
        </EmptyState>
      )}
      <ul className="pn-list pn-gap-2 pn-grid">
        {team.solves.map(({ challengeId, challengeName, createdAt }) => (
          <li key={challengeId} className={styles.solve}>
            <Link to={paths.challenge(challengeId)}>
              <bdi>{challengeName}</bdi>
            </Link>
            <time dateTime={createdAt}>{format.dateTime(parseTimestamp(createdAt))}</time>
            {may && (
              <ConfirmButton busy={action.isPending} onConfirm={() => remove(challengeId, challengeName)}>
                {text.deleteSolve}
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
      {action.failure && <p role="alert">{action.failure}</p>}
      {may && (team.solves.length > 0 || team.score > 0) && (
        <AskButton
          tone="danger"
          title={text.deleteSolvesTitle(team.name)}
          about={<p>{text.deleteSolvesAbout(team.solves.length)}</p>}
          action={text.deleteSolves}
          busy={action.isPending}
          word={team.name}
          onConfirm={removeAll}
        />
      )}
    </Section>
  )
}

const FIELDS = ['name', 'division', 'countryCode', 'statusText'] as const
/** Limit of the contract's `StatusText`. */
const LONGEST_STATUS = 60
type Values = Record<(typeof FIELDS)[number], string>

/** The team fields that an organiser can correct. Sends only changed fields. */
function ProfileForm({ team }: { readonly team: TeamDetail }) {
  const text = useMessages(adminTeamsMessages)
  const divisions = useConfig()?.divisions ?? {}
  const before = valuesOf(team)
  const [changes, setChanges] = useState<Partial<Values>>({})
  const action = useListAction(teamsKey)
  const saved = useSuccess(text.saved)
  const values = { ...before, ...changes }
  const changed = FIELDS.filter((field) => values[field] !== before[field])
  const set = (field: keyof Values) => (value: string) => setChanges((now) => ({ ...now, [field]: value }))
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (changed.length === 0 || action.isPending) return
    const data = Object.fromEntries(changed.map((field) => [field, toSend(field, values[field])]))
    if (!(await action.run(send(updateTeam, { params: { id: team.id }, body: { data } })))) return
    saved.show()
    // Text typed during the save is kept.
    setChanges((now) => unsavedFields(now, changes))
  }
  const choices = Object.entries({ [team.division]: team.division, ...divisions })
  return (
    <Section title={text.profile} level={3}>
      <form className={styles.form} onSubmit={(event) => void save(event)}>
        <TextInput label={text.team} value={values.name} onChange={set('name')} maxLength={64} />
        <Select
          label={text.division}
          value={values.division}
          onChange={set('division')}
          choices={choices.map(([value, label]) => ({ value, label }))}
        />
        <TextInput
          label={text.country}
          help={text.countryHelp}
          value={values.countryCode}
          onChange={(code) => set('countryCode')(code.toUpperCase())}
          maxLength={2}
          mono
        />
        <TextInput
          label={text.statusText}
          value={values.statusText}
          onChange={set('statusText')}
          maxLength={LONGEST_STATUS}
          counted
        />
        {action.failure && <p role="alert">{action.failure}</p>}
        <Button
          type="submit"
          tone="primary"
          busy={action.isPending}
          success={saved}
          disabledBecause={changed.length === 0 ? text.nothingToSave : undefined}
        >
          {text.save}
        </Button>
      </form>
      <LeaveGuard isDirty={changed.length > 0} />
    </Section>
  )
}

function valuesOf({ name, division, countryCode, statusText }: TeamDetail): Values {
  return { name, division, countryCode: countryCode ?? '', statusText: statusText ?? '' }
}

/** Null clears an optional field. */
function toSend(field: keyof Values, value: string): string | null {
  const isOptional = field === 'countryCode' || field === 'statusText'
  return isOptional && value.trim() === '' ? null : value
}
