import { deleteSolve } from '@pennant/contract/admin-challenges.ts'
import { deleteTeamSolves } from '@pennant/contract/admin-teams.ts'
import { Link } from 'react-router'
import { parseTimestamp } from '@pennant/contract/timestamps.ts'
import { send } from '../../api/client.ts'
import { useMay } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { adminTeamsMessages } from '../../text/en/admin-teams.ts'
import { frameMessages } from '../../text/en/frame.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { AskButton, ConfirmButton } from '../../ui/layers/confirm.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Section } from '../../ui/states/panel.tsx'
import { teamsKey, type TeamDetail } from './queries.ts'
import styles from './teams.module.css'
import { useListAction } from '../../organisers/use-list-action.ts'

/**
 * The solves of a team, oldest first. With the right permission, one solve can be revoked, or all solves
 * together with pushed points.
 */
export function SolvesPart({ team }: { readonly team: TeamDetail }) {
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
