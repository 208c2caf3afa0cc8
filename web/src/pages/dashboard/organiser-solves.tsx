import { deleteTeamSolves } from '@pennant/contract/admin-teams.ts'
import { useQueryClient } from '@tanstack/react-query'
import { FailureLine } from '../../account/failure-line.tsx'
import { useAction } from '../../account/use-action.ts'
import { send } from '../../api/client.ts'
import { useMay } from '../../api/use-contest.ts'
import { dashboardMessages } from '../../text/en/dashboard.ts'
import { useMessages } from '../../text/messages.ts'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import styles from './dashboard.module.css'
import { overviewQuery, type Overview } from './queries.ts'

interface OrganiserSolvesProps {
  readonly organisers: Overview['organisersWithSolves']
}

/** Removes what organisers solved while testing. Each removal is in the action log. */
export function OrganiserSolves({ organisers }: OrganiserSolvesProps) {
  const text = useMessages(dashboardMessages).organiserSolves
  const mayRemove = useMay('challsSolveWrite')
  const client = useQueryClient()
  const action = useAction()
  const remove = async () => {
    for (const { id } of organisers) {
      const removed = await action.run(() => send(deleteTeamSolves, { params: { userId: id } }))
      if (!removed) break
    }
    await client.invalidateQueries({ queryKey: overviewQuery.queryKey })
  }
  return (
    <>
      <span className={styles.small}>{text.about}</span>
      {mayRemove && (
        <div>
          <ConfirmButton busy={action.isPending} onConfirm={() => void remove()}>
            {text.remove}
          </ConfirmButton>
        </div>
      )}
      <FailureLine>{action.failure}</FailureLine>
    </>
  )
}
