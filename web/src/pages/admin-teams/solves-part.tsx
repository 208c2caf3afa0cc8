import { deleteSolve } from '@pennant/contract/admin-challenges.ts'
import { deleteTeamSolves } from '@pennant/contract/admin-teams.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { send } from '../../api/client.ts'
import { useMay } from '../../api/use-contest.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Confirm, ConfirmButton } from '../../ui/layers/confirm.tsx'
import { EmptyState } from '../../ui/states/messages.tsx'
import { Section } from '../../ui/states/panel.tsx'
import type { TeamDetail } from './queries.ts'
import styles from './teams.module.css'
import { useDeed } from './use-deed.ts'
import { words } from './words.ts'

/** What a team solved, oldest first. Whoever may can take one back, or all with the points that were pushed. */
export function SolvesPart({ team }: { readonly team: TeamDetail }) {
  const text = useText(words)
  const format = useFormat()
  const may = useMay('challsSolveWrite')
  const deed = useDeed()
  const [isAsking, setAsking] = useState(false)
  const removeAll = async () => {
    await deed.run(send(deleteTeamSolves, { params: { userId: team.id } }), text.solvesGone)
    setAsking(false)
  }
  const remove = (challengeId: string, name: string) =>
    void deed.run(send(deleteSolve, { params: { challengeId, userId: team.id } }), text.solveGone(name))
  return (
    <Section title={`${text.solves} (${format.number(team.solves.length)})`} level={3}>
      {team.solves.length === 0 && <EmptyState>{text.noSolves}</EmptyState>}
      <ul className={styles.solves}>
        {team.solves.map(({ challengeId, challengeName, createdAt }) => (
          <li key={challengeId} className={styles.solve}>
            <Link to={paths.challenge(challengeId)}>
              <bdi>{challengeName}</bdi>
            </Link>
            <time dateTime={createdAt}>{format.dateTime(Date.parse(createdAt))}</time>
            {may && (
              <ConfirmButton busy={deed.busy} onConfirm={() => remove(challengeId, challengeName)}>
                {text.deleteSolve}
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
      {deed.failure && <p role="alert">{deed.failure}</p>}
      {may && (team.solves.length > 0 || team.score > 0) && (
        <Button tone="danger" onClick={() => setAsking(true)}>
          {text.deleteSolves}
        </Button>
      )}
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void removeAll()}
        title={text.deleteSolvesTitle(team.name)}
        deed={text.deleteSolves}
        busy={deed.busy}
        word={team.name}
      >
        <p>{text.deleteSolvesAbout(team.solves.length)}</p>
      </Confirm>
    </Section>
  )
}
